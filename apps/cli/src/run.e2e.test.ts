import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readJournal, stateFolder } from '@icm/pipeline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const icmProgram = fileURLToPath(new URL('../bin/icm.js', import.meta.url))
const host = process.env.OLLAMA_HOST
const model = 'qwen2.5-coder:0.5b'

// Small outputs and few calls: a test of structure, on whatever the small model answers.
const configuration = `
[model]
name = "${model}"
context_window = 4096
max_output_tokens = 160
[search]
library = "library"
[workflow]
max_tool_calls = 3
max_turns = 5
`

describe.skipIf(!host)(`the course on a real Ollama (needs OLLAMA_HOST with ${model})`, () => {
  let home: string
  let folder: string
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'icm-e2e-'))
    folder = join(home, 'my-course')
    expect(await icm(['init', 'my-course'], home)).toMatchObject({ code: 0 })
    writeFileSync(join(folder, 'icm.config.toml'), configuration)
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  function icm(
    words: readonly string[],
    cwd = folder,
    killAfter?: { readonly text: string; readonly signal: NodeJS.Signals },
  ) {
    const child = spawn(process.execPath, [icmProgram, ...words], {
      cwd,
      env: { ...process.env, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let killedAt: number | undefined
    const take = (piece: Buffer) => {
      output += piece
      if (killAfter === undefined || killedAt !== undefined || !output.includes(killAfter.text)) return
      killedAt = performance.now()
      child.kill(killAfter.signal)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    return new Promise<{ code: number | null; output: string }>((done) =>
      child.on('close', (code) => done({ code, output })),
    )
  }

  const output = (path: string) => join(folder, 'pipeline', path)

  it('doctor finds the server, a model that can call tools, and schemas that arrive as JSON', async () => {
    const { code, output: text } = await icm(['doctor'])
    expect(text).toMatch(/ok +model: qwen2\.5-coder:0\.5b can call tools/)
    expect(text).toContain('they arrive as JSON')
    expect(code, text).toBe(0)
  })

  /** A 0.5B model may write nothing usable: then the stage has failed with its type and without an output. */
  function expectDoneOrTyped(result: { code: number | null; output: string }, path: string): void {
    if (result.code !== 0) expect(result.output).toContain('(pipeline/no-output)')
    expect(existsSync(output(path))).toBe(result.code === 0)
  }

  it('scope: objectives are written, and the run stops at the gate', async () => {
    const result = await icm(['run'])
    expectDoneOrTyped(result, '01-scope/output/objectives.md')
    if (result.code === 0) expect(result.output).toContain('--- review gate: 01-scope ---')
  })

  it('research: only allowed tools, every call with one result, notes that are no tool call', async () => {
    writeFileSync(output('01-scope/output/objectives.md'), '1. Start the server and name its default port.\n')
    const result = await icm(['run'])
    expectDoneOrTyped(result, '02-research/output/notes.md')
    const events = await journal()
    const ends = events.flatMap((event) =>
      event.type === 'agent' && event.event.type === 'tool-end' ? [event.event] : [],
    )
    const starts = events.flatMap((event) =>
      event.type === 'agent' && event.event.type === 'tool-start' ? [event.event.call.id] : [],
    )
    expect(new Set(starts).size).toBe(starts.length)
    expect(starts.every((id) => ends.filter((end) => end.call.id === id).length === 1)).toBe(true)
    expect(starts.length).toBeLessThanOrEqual(3)
    expect(
      events.find((event) => event.type === 'stage-start' && event.stage === '02-research'),
    ).toMatchObject({
      tools: [
        'search-server_search',
        'browser-server_fetch_snippet',
        'browser-server_fetch_urls',
        'browser-server_fetch_structure',
      ],
    })
    if (result.code === 0)
      expect(readFileSync(output('02-research/output/notes.md'), 'utf8')).not.toMatch(/^\s*\{"name"/)
  })

  it('outline: a file, whatever it holds', async () => {
    writeFileSync(
      output('02-research/output/notes.md'),
      '## Start\n- The default port is 11434.\nSources: file:///library/server-address.md\n',
    )
    expectDoneOrTyped(await icm(['run']), '03-outline/output/outline.md')
  })

  it('draft: Ctrl-C in the second module ends with 130, and the next run goes on with that module', async () => {
    writeFileSync(
      output('03-outline/output/outline.md'),
      '## Module 1: Start\n- the server\n\n## Module 2: Port\n- the default port\n',
    )
    const stopped = await icm(['run'], folder, { text: '[2/2] Module 2: Port', signal: 'SIGINT' })
    expect(stopped.code, stopped.output).toBe(130)
    expect(existsSync(output('04-draft/output/draft.md'))).toBe(false)
    expect(readdirSync(join(folder, '.icm', 'stages', '04-draft', 'items'))).toHaveLength(1)
    const resumed = await icm(['run'])
    expect(resumed.code, resumed.output).toBe(0)
    expect(resumed.output).toContain('[1/2] Module 1: Start: finished earlier')
    expect(
      readFileSync(output('04-draft/output/draft.md'), 'utf8').match(/^#{1,6} /gm)?.length,
    ).toBeGreaterThanOrEqual(2)
  })

  async function journal() {
    const runs = readdirSync(join(folder, '.icm', 'runs'))
    return (
      await Promise.all(runs.map((run) => readJournal(stateFolder({ root: folder }).journal(run))))
    ).flat()
  }
})
