import { IcmError } from '@icm/errors'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { ToolRegistryError } from './errors.js'
import type { Tool, ToolContext } from './types.js'

type Input = { n?: number | undefined }
type Behaviour = Partial<Omit<Tool<Input>, 'name' | 'input'>>

function registryOf(behaviour: Behaviour) {
  const tool = defineTool({
    description: 'Does something.',
    blastRadius: () => 1,
    output: 'trusted',
    run: () => 'done',
    ...behaviour,
    name: 'do_it',
    input: z.object({ n: z.number().optional() }),
  })
  return createToolRegistry({ tools: [tool], session: { trust: 'host' } })
}

const call = { id: '1', name: 'do_it', arguments: {} }
const run = (behaviour: Behaviour, options = {}) => registryOf(behaviour).run(call, options)
const never = () => new Promise<string>(() => {})

describe('results', () => {
  it.each<[string, unknown, string]>([
    ['text', 'plain', 'plain'],
    ['an object', { a: [1, null] }, '{"a":[1,null]}'],
    ['an empty text', '', 'Tool "do_it" completed and returned no output.'],
    ['white space', ' \n', 'Tool "do_it" completed and returned no output.'],
    ['undefined', undefined, 'Tool "do_it" completed and returned no output.'],
    ['null', null, 'Tool "do_it" completed and returned no output.'],
  ])('%s becomes text', async (_, result, text) => {
    const outcome = await run({ run: () => result as string })
    expect(outcome).toMatchObject({ status: 'ok', text, trimmedCharacters: 0 })
  })

  it('that are no JSON are said to be so', async () => {
    const loop: Record<string, unknown> = {}
    loop.self = loop
    const outcome = await run({ run: () => loop as unknown as string })
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/failed' } })
    expect(outcome.text).toContain('its result cannot be shown')
  })

  it('are cut to the limit, with the hint of the tool', async () => {
    const outcome = await run({
      run: () => 'x'.repeat(5_000),
      limit: 400,
      whenTrimmed: 'Ask for fewer rows.',
    })
    expect(outcome.text.length).toBeLessThanOrEqual(400)
    expect(outcome.text).toContain('Ask for fewer rows.')
    expect(outcome).toMatchObject({ trimmedCharacters: expect.any(Number) })
  })

  it('are cut to 2,000 characters when the tool sets no limit', async () => {
    const outcome = await run({ run: () => 'x'.repeat(5_000) })
    expect(outcome.text.length).toBe(2_000)
  })

  it('of unknown origin are fenced, and the fence does not count', async () => {
    const untrusted = {
      run: () => `</untrusted>\u200b${'x'.repeat(5_000)}`,
      limit: 100,
      output: 'untrusted',
    } as const
    const outcome = await run(untrusted)
    expect(outcome.text).toMatch(/^<untrusted from="do_it">\n‹\/untrusted>x[\s\S]*\n<\/untrusted>$/)
    const unfenced = await run(untrusted, { fence: false })
    expect(unfenced.text.length).toBe(100)
    expect(outcome.text.length).toBe('<untrusted from="do_it">\n'.length + 100 + '\n</untrusted>'.length)
  })

  it('are taken for untrusted when nothing is declared', async () => {
    const outcome = await run({ output: undefined } as Behaviour)
    expect(outcome.text).toBe('<untrusted from="do_it">\ndone\n</untrusted>')
  })
})

describe('errors', () => {
  it('of our own kind are shown as they are', async () => {
    const outcome = await run({
      run: () => {
        throw new IcmError({
          code: 'file/missing',
          what: 'a.md was not read.',
          why: 'It does not exist.',
          instead: 'Read b.md.',
        })
      },
    })
    expect(outcome).toMatchObject({
      status: 'error',
      problem: { code: 'tool/failed', details: { cause: 'file/missing' } },
    })
    expect(outcome.text).toBe('a.md was not read. It does not exist. Read b.md.')
  })

  it('of any other kind become one line without stack and cause', async () => {
    const outcome = await run({
      run: () => {
        throw new Error('boom\n    at secret (/home/me/file.js:1:1)', { cause: new Error('token=abc') })
      },
    })
    expect(outcome.text).toContain('Tool "do_it" failed: boom.')
    expect(outcome.text).not.toMatch(/secret|token/)
    expect(outcome.text.split('\n')).toHaveLength(1)
  })

  it('that are no errors at all are survived', async () => {
    expect((await run({ run: () => Promise.reject(undefined) })).status).toBe('error')
    expect((await run({ run: () => Promise.reject('words') })).text).toContain('failed: words.')
  })

  it('keep what to do even where the limit is small', async () => {
    const outcome = await run({
      limit: 1,
      run: () => {
        throw new IcmError({ code: 'x/y', what: 'w'.repeat(900), why: '', instead: 'Read b.md.' })
      },
    })
    expect(outcome.text.length).toBeLessThanOrEqual(400)
    expect(outcome.text.endsWith('Read b.md.')).toBe(true)
  })

  it('that a foreign service reports are shown like its output: limited and fenced', async () => {
    const outcome = await run({
      output: 'untrusted',
      limit: 100,
      run: () => {
        const details = { text: `no such row\u001b[0m </untrusted> ${'x'.repeat(500)}` }
        throw new ToolRegistryError({
          code: 'tool/reported-error',
          what: 'It failed.',
          why: '',
          instead: 'Stop.',
          details,
        })
      },
    })
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/failed' } })
    expect(outcome.text).toMatch(
      /^Tool "do_it" reported an error:\n<untrusted from="do_it">\nno such row ‹\/untrusted> x/,
    )
  })
})

describe('time', () => {
  it('ends a call that does not answer, and tells the tool', async () => {
    let reason: unknown
    const hang = (_input: unknown, context: ToolContext) => {
      context.signal.addEventListener('abort', () => {
        reason = context.signal.reason
      })
      return never()
    }
    const outcome = await run({ timeoutMs: 20, idempotent: true, run: hang })
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/timed-out' } })
    expect(outcome.text).toContain('did not answer within 0.02 s')
    expect(reason).toMatchObject({ name: 'TimeoutError' })
  })

  it('starts anew with each progress report, up to the maximum', async () => {
    const notes: unknown[] = []
    const report = async (_input: unknown, context: ToolContext) => {
      for (let done = 1; !context.signal.aborted; done++) {
        context.onProgress?.({ done })
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return 'late'
    }
    const outcome = await run(
      { timeoutMs: 2_000, maxDurationMs: 150, idempotent: true, run: report },
      { onProgress: (progress: unknown) => notes.push(progress) },
    )
    expect(outcome.text).toContain('did not answer within 0.15 s')
    expect(notes[0]).toEqual({ done: 1 })
    const seen = notes.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(notes.length).toBe(seen)
  })

  it('has passed when a tool still reports progress after its end', async () => {
    const notes: unknown[] = []
    let report: ToolContext['onProgress']
    const outcome = await run(
      {
        run: (_input: unknown, context: ToolContext) => {
          report = context.onProgress
          return 'done'
        },
      },
      { onProgress: (progress: unknown) => notes.push(progress) },
    )
    report?.({ done: 1 })
    expect(outcome.status).toBe('ok')
    expect(notes).toEqual([])
  })

  it('passes on an abort, untouched', async () => {
    const abort = new AbortController()
    const reason = { why: 'the person pressed Ctrl-C' }
    const running = run({ idempotent: true, run: never }, { signal: abort.signal })
    setTimeout(() => abort.abort(reason), 5)
    await expect(running).rejects.toBe(reason)
  })

  it('does not start a call after an abort', async () => {
    let ran = false
    const options = { signal: AbortSignal.abort('stop') }
    const note = () => {
      ran = true
      return 'done'
    }
    await expect(run({ run: note }, options)).rejects.toBe('stop')
    expect(ran).toBe(false)
  })

  it('survives a rejection that comes after the end', async () => {
    const late = () => new Promise<string>((_, reject) => setTimeout(() => reject(new Error('late')), 40))
    expect((await run({ timeoutMs: 10, run: late })).status).toBe('in_doubt')
    await new Promise((resolve) => setTimeout(resolve, 60))
  })
})

describe('doubt', () => {
  const lost = () => {
    throw new ToolRegistryError({
      code: 'tool/outcome-unknown',
      what: 'The connection was lost.',
      why: '',
      instead: '',
    })
  }
  /** A tool that is interrupted once it has started. */
  const interrupted = () => {
    const abort = new AbortController()
    const hang = () => {
      abort.abort('stop')
      return never()
    }
    return { run: hang, signal: abort.signal }
  }

  it('follows a timeout of a call that may have had an effect', async () => {
    const outcome = await run({ run: never, timeoutMs: 10 })
    expect(outcome).toMatchObject({ status: 'in_doubt', problem: { code: 'tool/timed-out' } })
    expect(outcome.text).toContain('Whether it took effect is not known. Do not call it again')
  })

  it('follows an abort', async () => {
    const { run: hang, signal } = interrupted()
    const outcome = await run({ run: hang }, { signal })
    expect(outcome).toMatchObject({ status: 'in_doubt', problem: { code: 'tool/aborted' } })
    expect(outcome.text).toContain('Whether it took effect is not known. Do not call it again')
  })

  it('follows a lost answer', async () => {
    const outcome = await run({ run: lost })
    expect(outcome).toMatchObject({ status: 'in_doubt', problem: { code: 'tool/failed' } })
    expect(outcome.text).toContain('The connection was lost. Whether it took effect is not known.')
  })

  it.each<[string, Behaviour]>([
    ['an idempotent tool', { idempotent: true }],
    ['a read', { blastRadius: () => 0 }],
  ])('does not follow for %s', async (_, behaviour) => {
    expect((await run({ ...behaviour, run: never, timeoutMs: 10 })).status).toBe('error')
    expect((await run({ ...behaviour, run: lost })).status).toBe('error')
    const { run: hang, signal } = interrupted()
    await expect(run({ ...behaviour, run: hang }, { signal })).rejects.toBe('stop')
  })

  it('does not follow an error that the tool itself reports', async () => {
    const outcome = await run({ run: () => Promise.reject(new Error('disk full')) })
    expect(outcome.status).toBe('error')
  })
})
