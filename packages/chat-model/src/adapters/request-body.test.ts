import { describe, expect, it } from 'vitest'
import type { Message, ToolSpec } from '../types.js'
import { createBodyWriter } from './request-body.js'

const tools: readonly ToolSpec[] = [{ name: 'search', description: 'ä', inputSchema: { type: 'object' } }]

function writer() {
  let written = 0
  const write = createBodyWriter({
    model: 'a"b',
    message: (message) => {
      written++
      return { role: message.role, content: message.text }
    },
    tool: ({ name }) => ({ name }),
  })
  return {
    /** Writes one body and says that its call is over. */
    send(messages: readonly Message[], offered = tools, tail: object = { stream: true }) {
      const body = write(messages, offered, tail)
      const text = Buffer.from(body.bytes).toString('utf8')
      body.free()
      return text
    },
    write,
    written: () => written,
  }
}

const user = (text: string): Message => ({ role: 'user', text })

describe('createBodyWriter', () => {
  it('is JSON whatever stands in the texts, and leaves out what is undefined', () => {
    const text = '"quotes", \\, \u2028, 🦊, ],"messages":['
    expect(JSON.parse(writer().send([user(text)], [], { stream: true, seed: undefined }))).toEqual({
      model: 'a"b',
      messages: [{ role: 'user', content: text }],
      stream: true,
    })
    expect(JSON.parse(writer().send([], tools))).toEqual({
      model: 'a"b',
      tools: [{ name: 'search' }],
      messages: [],
      stream: true,
    })
  })

  it('A14: each body is, up to the end of its messages, an exact prefix of the next; each message is written once', () => {
    const { send, written } = writer()
    const messages: Message[] = []
    let before = ''
    for (let turn = 0; turn < 100; turn++) {
      messages.push(user(`ä ${turn} ${'long '.repeat(turn * 10)}`))
      const body = send([...messages], tools, { temperature: turn })
      expect(JSON.parse(body).messages).toHaveLength(turn + 1)
      expect(body.startsWith(before)).toBe(true)
      before = body.slice(0, body.lastIndexOf('],"temperature"'))
    }
    expect(written()).toBe(100)
  })

  it('begins again where another conversation, other tools or a shorter history come', () => {
    const { send } = writer()
    const [one, two, three] = [user('1'), user('2'), user('3')]
    const contents = (body: string) =>
      JSON.parse(body).messages.map((message: { content: string }) => message.content)
    expect(contents(send([one, two]))).toEqual(['1', '2'])
    expect(contents(send([one]))).toEqual(['1'])
    expect(contents(send([one, three, two]))).toEqual(['1', '3', '2'])
    expect(contents(send([two]))).toEqual(['2'])
    expect(JSON.parse(send([two], [])).tools).toBeUndefined()
    expect(JSON.parse(send([two, one], tools)).tools).toHaveLength(1)
  })

  it('notices a message that was changed in place', () => {
    const { send } = writer()
    const message = { role: 'user' as const, text: 'old' }
    send([message])
    message.text = 'new'
    expect(send([message])).toContain('"new"')
  })

  it('gives calls at the same time bytes of their own', () => {
    const { write } = writer()
    const first = write([user('first')], tools, { n: 1 })
    const second = write([user('second')], tools, { n: 2 })
    const texts = () => [first, second].map((body) => Buffer.from(body.bytes).toString('utf8'))
    const before = texts()
    expect(before[0]).toContain('first')
    expect(before[1]).toContain('second')
    first.free()
    second.free()
    write([user('third')], tools, { n: 3 })
    expect(texts()[1]).toBe(before[1])
  })
})
