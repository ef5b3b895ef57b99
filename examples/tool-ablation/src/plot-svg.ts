import type { Summary } from './summarize.js'

const WIDTH = 640
const HEIGHT = 400
const LEFT = 56
const RIGHT = 20
const TOP = 44
const BOTTOM = 48
/** Told apart also by people who see few colours (Okabe and Ito). */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']

/** Share of right tools over the number of tools, a line for each model, with the 95 % intervals. */
export function plotSvg(summaries: readonly Summary[]): string {
  const models = [...new Set(summaries.map(({ model }) => model))]
  const most = Math.max(5, ...summaries.map(({ tools }) => tools))
  const x = (tools: number) => round(LEFT + (tools / most) * (WIDTH - LEFT - RIGHT))
  const y = (share: number) => round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM))
  const counts = [...new Set(summaries.map(({ tools }) => tools))].sort((left, right) => left - right)
  const axes = [
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (share) =>
        `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(share)}" y2="${y(share)}" stroke="#ddd"/>` +
        `<text x="${LEFT - 8}" y="${y(share) + 4}" text-anchor="end">${share * 100} %</text>`,
    ),
    ...counts.map(
      (tools) => `<text x="${x(tools)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${tools}</text>`,
    ),
    `<text x="${(WIDTH + LEFT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">tools offered</text>`,
  ]
  const lines = models.map((model, index) => {
    const points = summaries
      .filter((summary) => summary.model === model)
      .sort((left, right) => left.tools - right.tools)
    return drawModel(model, points, { x, y, index })
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">\n` +
    `<title>Requests answered with the right tool, by number of tools</title>\n` +
    `<rect width="100%" height="100%" fill="#fff"/>\n${[...axes, ...lines].join('\n')}\n</svg>\n`
  )
}

interface Scale {
  readonly x: (tools: number) => number
  readonly y: (share: number) => number
  readonly index: number
}

function drawModel(model: string, points: readonly Summary[], { x, y, index }: Scale): string {
  const color = COLORS[index % COLORS.length]
  // Models beside each other, so that their intervals do not hide one another.
  const at = (tools: number) => x(tools) + index * 4
  const shares = points.map((point) => ({
    ...point,
    share: point.requests === 0 ? 0 : point.right / point.requests,
  }))
  const path = shares
    .map(({ tools, share }, place) => `${place === 0 ? 'M' : 'L'}${at(tools)} ${y(share)}`)
    .join('')
  const marks = shares.map(
    ({ tools, share, interval }) =>
      `<line x1="${at(tools)}" x2="${at(tools)}" y1="${y(interval.low)}" y2="${y(interval.high)}" stroke="${color}"/>` +
      `<circle cx="${at(tools)}" cy="${y(share)}" r="4" fill="${color}"><title>${tools} tools: ${Math.round(share * 100)} %</title></circle>`,
  )
  const legend = `<text x="${LEFT + (index % 3) * 190}" y="${16 + Math.floor(index / 3) * 16}" fill="${color}">● ${escaped(model)}</text>`
  return `<g><path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>${marks.join('')}${legend}</g>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
