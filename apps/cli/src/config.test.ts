import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './__fixtures__/cli-runner.js'
import { parseConfiguration, readConfiguration } from './config.js'

describe('parseConfiguration', () => {
  it('fills in defaults', async () => {
    const configuration = await parseConfiguration('', '/w/icm.config.toml')
    expect(configuration.model).toMatchObject({
      provider: 'auto',
      name: 'qwen3.5:9b',
      nameIsExplicit: false,
      temperature: 0.1,
      contextWindow: 8192,
    })
    expect(configuration.search).toEqual({ backend: 'auto', library: '/w/library' })
    expect(configuration.servers).toEqual({})
  })

  it('reads sections, servers and grants', async () => {
    const text = `
[model]
name = "m:1b"
context_window = 4096
[servers.notes]
command = "notes-server"
args = ["--root", "."]
env = { TOKEN = "\${TOKEN}" }
[servers.notes.tools.read_note]
effect = "read"
[placeholders]
repo = "kettle"
"piece-slug" = "tea"
`
    const configuration = await parseConfiguration(text, '/w/icm.config.toml')
    expect(configuration.model).toMatchObject({ name: 'm:1b', nameIsExplicit: true, contextWindow: 4096 })
    expect({ ...configuration.placeholders }).toEqual({ repo: 'kettle', 'piece-slug': 'tea' })
    expect(configuration.servers.notes).toEqual({
      command: 'notes-server',
      args: ['--root', '.'],
      env: { TOKEN: expect.stringMatching(/^\$\{TOKEN\}$/) },
      annotationsTrusted: false,
      tools: { read_note: { effect: 'read' } },
    })
  })

  it.each([
    ['[model]\nnmae = "x"', 2, 'Did you mean "name"?'],
    ['[model]\n\ncontext_window = "big"', 3, 'a whole number of at least 512'],
    ['[model]\ntemperature = -1', 2, 'a number of at least 0'],
    ['[model]\nprovider = "olama"', 2, 'did you mean "ollama"?'],
    ['[modle]\nname = "x"', 1, 'Did you mean "model"?'],
    ['model = 3', 1, '[model] on a line of its own'],
    ['[search]\nbackend = "searxng"', 2, 'auto, folder'],
    ['[model]\nthinking = "yes"', 2, 'true or false'],
    ['[servers.a]\nargs = ["x"]', 1, 'Add command'],
    ['[servers.a]\ncommand = "x"\nargs = "y"', 3, 'list of strings'],
    ['[servers.a]\ncommand = "x"\nenvv = {}', 3, 'Did you mean "env"?'],
    ['[servers.a]\ncommand = "x"\n[servers.a.tools.t]\neffect = "none"', 4, 'read, write'],
    ['[servers.__proto__]\ncommand = "x"', 1, 'Begin with a letter'],
    ['[servers.search-server]\ncommand = "x"', 1, 'another name'],
    ['[model]\nname = "x', 2, 'Mend line 2'],
    ['[placeholders]\nrepo = 3', 2, 'a text in quotes'],
  ])('%j is an error with its line and what to do', async (text, line, instead) => {
    const error: unknown = await parseConfiguration(text, '/w/icm.config.toml').catch(
      (caught: unknown) => caught,
    )
    expect(error).toMatchObject({ code: 'cli/configuration', details: { line } })
    expect((error as { message: string }).message).toContain(`/w/icm.config.toml:${line}`)
    expect((error as { instead: string }).instead).toContain(instead)
  })
})

it('readConfiguration takes the nearest file upwards', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'a', 'b'), { recursive: true })
  writeFileSync(join(folder, 'icm.config.toml'), '[model]\nname = "outer"')
  expect((await readConfiguration(join(folder, 'a', 'b'))).model.name).toBe('outer')
  writeFileSync(join(folder, 'a', 'b', 'icm.config.toml'), '[model]\nname = "inner"')
  const inner = await readConfiguration(join(folder, 'a', 'b'))
  expect(inner).toMatchObject({
    model: { name: 'inner' },
    search: { library: join(folder, 'a', 'b', 'library') },
  })
})
