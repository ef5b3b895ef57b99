import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from './__fixtures__/run-scripted.js'
import { testWorkspace, threeModules } from './__fixtures__/test-workspace.js'
import { readJournal } from './journal.js'
import { readStatus } from './stage-status.js'
import { stateFolder } from './state-folder.js'

describe('the history in .icm', () => {
  it('a second run beside the first is refused; the lock of a dead one is taken over and said', async () => {
    const place = testWorkspace()
    const second = async () => {
      await expect(run(place, [])).rejects.toMatchObject({
        code: 'lock/held',
        message: expect.stringContaining(String(process.pid)),
      })
      return '1. Goal'
    }
    await run(place, [second])
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    writeFileSync(
      stateFolder(place).lock,
      JSON.stringify({ pid, host: hostname(), since: 'x', purpose: 'icm run' }),
    )
    const { events } = await run(place, [threeModules])
    expect(events.find((event) => event.type === 'lock-taken-over')).toMatchObject({ pid })
    expect(existsSync(stateFolder(place).lock)).toBe(false)
  })

  it('a history of a newer version is refused and not touched; a broken record is no fresh start', async () => {
    const place = testWorkspace()
    place.write('.icm/version', '99\n')
    await expect(run(place, [])).rejects.toMatchObject({ code: 'pipeline/newer-state' })
    expect(readdirSync(join(place.root, '.icm'))).toEqual(['version'])
    place.write('.icm/version', '1\n')
    place.write('.icm/run.json', '{"id": "2026')
    await expect(run(place, [])).rejects.toMatchObject({ code: 'pipeline/corrupt-state' })
    expect(place.read('.icm/run.json')).toBe('{"id": "2026')
  })

  it('a journal that a crash cut is read up to its last whole line, and goes on', async () => {
    const place = testWorkspace()
    const { result } = await run(place, ['1. Goal'])
    const path = stateFolder(place).journal(result.run ?? '')
    const relative = path.slice(place.root.length + 1)
    const whole = await readJournal(path)
    place.write(relative, `${place.read(relative)}{"v":1,"type":"stage-sta`)
    const second = await run(place, [threeModules])
    expect(await readJournal(path)).toHaveLength(
      whole.length +
        second.events.filter((event) => event.type !== 'agent' || event.event.type !== 'model').length,
    )
  })

  it('is refused as a symbolic link or a file, at the top and below, before anything is written', async () => {
    const outside = testWorkspace()
    const links = ['.icm', '.icm/runs', '.icm/stages', '.icm/stages/01-scope', '.icm/stages/01-scope/items']
    for (const path of [...links, '.icm/archive', '.icm/lock']) {
      const place = testWorkspace()
      mkdirSync(join(place.root, path, '..'), { recursive: true })
      symlinkSync(outside.root, join(place.root, path))
      const before = readdirSync(outside.root)
      await expect(run(place, [])).rejects.toMatchObject({
        code: 'pipeline/unsafe-state',
        message: expect.stringContaining(`${join(place.root, path)} is a symbolic link`),
      })
      expect(readdirSync(outside.root)).toEqual(before)
    }
    for (const path of links) {
      const place = testWorkspace({ [path]: 'a file' })
      await expect(run(place, [])).rejects.toMatchObject({
        code: 'pipeline/unsafe-state',
        message: expect.stringContaining(join(place.root, path)),
      })
      expect(place.read(path)).toBe('a file')
    }
    const place = testWorkspace()
    symlinkSync(outside.root, join(place.root, '.icm'))
    await expect(readStatus(await place.open())).rejects.toMatchObject({ code: 'pipeline/unsafe-state' })
  })

  it('takes no link as the journal of a run that goes on', async () => {
    const place = testWorkspace()
    const { result } = await run(place, ['1. Goal'])
    const journal = stateFolder(place).journal(result.run ?? '')
    rmSync(journal)
    symlinkSync(join(place.root, 'CLAUDE.md'), journal)
    await expect(run(place, [])).rejects.toMatchObject({ code: 'pipeline/unsafe-state' })
    expect(place.read('CLAUDE.md')).toBe('You are in a workspace.')
  })

  it('has no run and no stage whose name is a path', async () => {
    for (const id of ['../../../elsewhere', '..', '.', '', 'a/b', '/tmp/x', 'a\0b']) {
      for (const use of ['journal', 'runFolder', 'stageFolder', 'provenance', 'archiveFolder'] as const) {
        expect(() => stateFolder({ root: '/nowhere' })[use](id)).toThrow(
          expect.objectContaining({ code: 'pipeline/invalid-name' }),
        )
      }
      const place = testWorkspace({ '.icm/run.json': JSON.stringify({ id, startedAt: 'x' }) })
      await expect(run(place, [])).rejects.toMatchObject({ code: 'pipeline/corrupt-state' })
    }
  })
})
