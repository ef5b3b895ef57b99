import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { readBlocks } from '../blocks.js'
import { scanLines } from '../scan-lines.js'
import { findHeadings } from '../sections.js'

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number]

/** The structure of a text as far as contracts need it; lines count from 1. */
export interface Structure {
  readonly headings: readonly string[]
  /** Lines of fenced code outside block quotes, the fences among them, blank ones left out. */
  readonly fenced: readonly number[]
  /** One string for each table: its rows by line, cells as written. */
  readonly tables: readonly string[]
}

/** What a GFM parser sees. Front matter and byte order mark must be gone. */
export function oracleStructure(markdown: string): Structure {
  const tree = fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
  const lines = markdown.split(/\r\n|\n|\r/)
  const headings: string[] = []
  const fenced = new Set<number>()
  const tables: string[] = []
  for (const node of tree.children) {
    const place = node.position
    if (!place) continue
    if (node.type === 'heading' && /^ {0,3}#{1,6}(?:[ \t]|$)/.test(lines[place.start.line - 1] ?? ''))
      headings.push(`${place.start.line} ${node.depth}`)
    if (node.type === 'table')
      tables.push(node.children.map((row) => rowText(row, markdown)).join('\n'))
  }
  walk(tree, (node) => {
    if (node.type !== 'code' || !node.position) return
    const first = markdown.slice(node.position.start.offset, node.position.end.offset)
    if (!/^(?:`{3}|~{3})/.test(first)) return
    // An end in column 1 is the end of the line before.
    const end = node.position.end.line - (node.position.end.column === 1 ? 1 : 0)
    for (let line = node.position.start.line; line <= end; line++)
      if (lines[line - 1]?.trim()) fenced.add(line)
  })
  return { headings, fenced: [...fenced].sort((left, right) => left - right), tables }
}

type Row = Extract<Node, { type: 'table' }>['children'][number]

function rowText(row: Row, markdown: string): string {
  const cells = row.children.map((cell) => {
    const [first, last] = [cell.children[0], cell.children.at(-1)]
    return markdown.slice(first?.position?.start.offset ?? 0, last?.position?.end.offset ?? 0).replaceAll('\\|', '|')
  })
  return `${row.position?.start.line}: ${cells.join(' | ')}`
}

/** Block quotes are left out: contracts are not read inside them. */
function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  if (!('children' in node) || node.type === 'blockquote') return
  for (const child of node.children) walk(child as Node, visit)
}

/** What our scanner sees. */
export function ownStructure(markdown: string): Structure {
  const { lines } = scanLines(markdown)
  return {
    headings: findHeadings(markdown, lines).map((heading) => `${heading.line} ${heading.level}`),
    fenced: lines
      .filter((line) => line.kind === 'code' && line.text.trim() !== '')
      .map((line) => line.number),
    tables: readBlocks(lines.filter((line) => !line.nested)).flatMap((block) => {
      if (block.type !== 'table') return []
      return [block.rows.map((row) => `${row.line}: ${row.cells.map((cell) => cell.text).join(' | ')}`).join('\n')]
    }),
  }
}
