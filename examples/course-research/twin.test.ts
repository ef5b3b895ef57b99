import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * Two courses, one factory: both example workspaces must be the same files byte for byte, except where a person
 * configures the course. Whoever edits a contract in one of them has to copy it to the other.
 */
const roots = { research: new URL('./', import.meta.url), rust: new URL('../rust-course/', import.meta.url) }

/** What makes a course its own; everything else is shared. */
const ownFiles = ['README.md', '_config/audience.md', 'pipeline/01-scope/input.md']
const isOwn = (path: string) => ownFiles.includes(path) || path.startsWith('library/')

/** Traces of a run, and this test itself, which exists once for both. */
const isIgnored = (path: string) =>
  path.startsWith('.icm/') ||
  path === 'twin.test.ts' ||
  (path.includes('/output/') && !path.endsWith('/.gitkeep'))

const filesUnder = (root: URL) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !isIgnored(path) && statSync(new URL(path, root)).isFile())
    .sort()

const bytes = (root: URL, path: string) => readFileSync(new URL(path, root))
const text = (root: URL, path: string) => readFileSync(new URL(path, root), 'utf8')

const research = filesUnder(roots.research)
const rust = filesUnder(roots.rust)
const shared = research.filter((path) => !isOwn(path))

describe('course-research and rust-course', () => {
  it('have the same shared files', () => {
    expect(rust.filter((path) => !isOwn(path))).toEqual(shared)
    expect(shared).toContain('CLAUDE.md')
    expect(shared.filter((path) => /^pipeline\/\d\d-[a-z]+\/CONTEXT\.md$/.test(path))).toHaveLength(4)
    expect(shared.filter((path) => path.endsWith('/output/.gitkeep'))).toHaveLength(4)
  })

  it.each(shared)('share %s byte for byte', (path) => {
    expect(bytes(roots.rust, path).equals(bytes(roots.research, path))).toBe(true)
  })

  it.each(ownFiles)('have each their own %s', (path) => {
    expect(bytes(roots.rust, path).equals(bytes(roots.research, path))).toBe(false)
  })
})

describe('shared texts', () => {
  const topicWords = {
    research: ['ollama', 'language', 'model', 'memory', 'rest api', 'curl', 'json', 'schema'],
    rust: ['rust', 'cargo', 'clap', 'command-line', 'error', 'release', 'question mark'],
  }
  const hasWord = (body: string, word: string) => new RegExp(`\\b${word}`, 'i').test(body)

  it.each(['research', 'rust'] as const)('are checked against words that the %s input uses', (name) => {
    const input = text(roots[name], 'pipeline/01-scope/input.md')
    expect(topicWords[name].filter((word) => !hasWord(input, word))).toEqual([])
  })

  it.each(shared.filter((path) => path.endsWith('.md')))('name no topic: %s', (path) => {
    const body = text(roots.research, path)
    expect([...topicWords.research, ...topicWords.rust].filter((word) => hasWord(body, word))).toEqual([])
  })
})

describe.each(['research', 'rust'] as const)('the library of the %s course', (name) => {
  const root = roots[name]
  const documents = filesUnder(root).filter((path) => path.startsWith('library/'))

  it('holds at least twelve documents, two of them HTML pages', () => {
    expect(documents.length).toBeGreaterThanOrEqual(12)
    expect(documents.filter((path) => path.endsWith('.html'))).toHaveLength(2)
    expect(documents.filter((path) => !/\.(md|html)$/.test(path))).toEqual([])
  })

  it('gives every document a title', () => {
    const untitled = documents.filter((path) => {
      const body = text(root, path)
      return !(path.endsWith('.html') ? /<h1>[^<]+<\/h1>/.test(body) : /^# \S/.test(body))
    })
    expect(untitled).toEqual([])
  })

  it('links only to documents that exist', () => {
    const links = documents.flatMap((from) =>
      [...text(root, from).matchAll(/\]\(([^)\s]+)\)|href="([^"]+)"/g)]
        .map((match) => match[1] ?? match[2] ?? '')
        .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
        .map((target) => ({ from, target, path: `library/${target.replace(/#.*$/, '')}` })),
    )
    expect(links.length).toBeGreaterThan(documents.length)
    expect(links.filter((link) => !documents.includes(link.path))).toEqual([])
  })
})
