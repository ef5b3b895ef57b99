import { describe, expect, it } from 'vitest'
import { listTools, type ToolPage } from './list-tools.js'

async function list(pages: Record<string, ToolPage>, maxPages = 64) {
  const notices: string[] = []
  let requests = 0
  const tools = await listTools(
    async (cursor) => {
      requests += 1
      return pages[cursor ?? 'start'] ?? { tools: [] }
    },
    { maxPages, onNotice: (notice) => notices.push(notice) },
  )
  return { names: tools.map(({ name }) => name), tools, notices, requests }
}

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

describe('listTools', () => {
  it('reads every page', async () => {
    const pages = {
      start: { tools: [tool('a')], nextCursor: '1' },
      1: { tools: [tool('b')], nextCursor: '2' },
      2: { tools: [tool('c')] },
    }
    expect(await list(pages)).toMatchObject({ names: ['a', 'b', 'c'], notices: [], requests: 3 })
  })

  it('stops at a cursor that repeats, without doubles', async () => {
    const pages = {
      start: { tools: [tool('a')], nextCursor: '1' },
      1: { tools: [tool('b')], nextCursor: '1' },
    }
    const { names, notices, requests } = await list(pages)
    expect(names).toEqual(['a', 'b'])
    expect(notices).toEqual(['The tool list repeated its cursor after page 2; what came so far is used.'])
    expect(requests).toBe(2)
  })

  it('stops at the page cap', async () => {
    const pages = Object.fromEntries(
      [...Array(9).keys()].map((page) => [page, { tools: [tool(`t${page}`)], nextCursor: `${page + 1}` }]),
    )
    const { names, notices } = await list({ start: { tools: [], nextCursor: '0' }, ...pages }, 3)
    expect(names).toEqual(['t0', 't1'])
    expect(notices).toEqual(['The tool list has more than 3 pages; the others are not read.'])
  })

  it('loses only the tool that is broken', async () => {
    const start = {
      tools: [
        tool('a'),
        { inputSchema: {} },
        { name: 'no_schema' },
        7,
        tool('a'),
        { ...tool('b'), description: 5, annotations: 'x' },
      ],
    }
    const { names, notices, tools } = await list({ start })
    expect(names).toEqual(['a', 'b'])
    expect(notices).toHaveLength(4)
    expect(tools[1]?.description).toBeUndefined()
  })

  it('drops a dialect that the validator does not have', async () => {
    const schema = (dialect: string) => ({ name: dialect, inputSchema: { $schema: dialect, type: 'object' } })
    const dialects = [
      'https://json-schema.org/draft/2019-09/schema',
      'https://json-schema.org/draft/2020-12/schema',
    ]
    const { tools } = await list({ start: { tools: dialects.map(schema) } })
    expect(tools.map(({ inputSchema }) => inputSchema.$schema)).toEqual([undefined, dialects[1]])
  })
})
