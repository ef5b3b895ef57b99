/** A piece of a document: what a reader takes in as one paragraph, list item, table row, code block or heading. */
export interface Block {
  readonly kind: 'heading' | 'text' | 'code'
  /** One line without markup (code marks stay); a code block keeps its lines. */
  readonly text: string
  /** 1–6, of a heading. */
  readonly level?: number
}

/** A heading of a document. */
export interface Heading {
  /** 1–6. */
  readonly level: number
  readonly text: string
}

// Each pattern is tried on lines of any length, from anybody: none may need more than one pass over its line.
const fenceLine = /^ {0,3}(?:[-*+] |\d{1,9}[.)] )? *(`{3,}|~{3,})(.*)$/
const headingLine = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/
const underlineLine = /^ {0,3}(=+|-+)[ \t]*$/
const itemLine = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/

/**
 * Markdown → its blocks, in order. Front matter and HTML comments are left out. A `#` inside a code fence is no
 * heading (field report E01). A line scanner: enough for search and outlines, not a full CommonMark parser.
 */
export function markdownBlocks(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  let code: { readonly mark: string; readonly lines: string[] } | undefined
  let comment = false
  const endParagraph = () => {
    blocks.push({ kind: 'text', text: plainInline(paragraph.join(' ')) })
    paragraph = []
  }
  for (const line of withoutFrontMatter(markdown).split(/\r?\n/)) {
    const fence = fenceLine.exec(line)
    if (code !== undefined) {
      const closes = fence?.[1]?.startsWith(code.mark) && fence[2]?.trim() === ''
      if (closes) {
        blocks.push(codeBlock(code.lines))
        code = undefined
      } else code.lines.push(line)
      continue
    }
    if (comment || /^ {0,3}<!--/.test(line)) {
      comment = !line.includes('-->')
      continue
    }
    const heading = headingOf(line, paragraph)
    if (heading !== undefined) {
      if (heading.kind === 'above') paragraph = []
      else endParagraph()
      blocks.push({ kind: 'heading', level: heading.level, text: heading.text })
    } else if (fence?.[1] !== undefined) {
      endParagraph()
      code = { mark: fence[1], lines: [] }
    } else if (line.trim() === '' || isTableRuler(line)) endParagraph()
    else {
      if (itemLine.test(line) || line.trimStart().startsWith('|')) endParagraph()
      paragraph.push(lineText(line))
    }
  }
  endParagraph()
  if (code !== undefined) blocks.push(codeBlock(code.lines))
  return blocks.filter((block) => block.text !== '')
}

/** The heading that a line is, or that it makes of the paragraph above it. */
function headingOf(line: string, paragraph: readonly string[]) {
  const marked = headingLine.exec(line)
  if (marked?.[1] !== undefined) {
    const text = (marked[2] ?? '').trim().replace(/(?:^|[ \t])#+$/, '')
    return { kind: 'here', level: marked[1].length, text: plainInline(text) } as const
  }
  const underline = paragraph.length > 0 ? underlineLine.exec(line)?.[1] : undefined
  if (underline === undefined) return undefined
  return {
    kind: 'above',
    level: underline.startsWith('=') ? 1 : 2,
    text: plainInline(paragraph.join(' ')),
  } as const
}

/** The headings among blocks. */
export function headingsOf(blocks: readonly Block[]): readonly Heading[] {
  return blocks.flatMap((block) =>
    block.kind === 'heading' ? [{ level: block.level ?? 1, text: block.text }] : [],
  )
}

/** Markdown of one line → what a reader sees: link and image markup and emphasis gone, code marks kept. */
export function plainInline(markdown: string): string {
  return markdown
    .replace(/!\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/!?\[([^[\]]*)\]\[[^[\]]*\]/g, '$1')
    .replace(/<(https?:\/\/[^<>\s]+)>/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.+?)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=[^\s*])([^*]+?)\*(?![\w*])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

function withoutFrontMatter(markdown: string): string {
  return markdown.replace(/^\uFEFF?(---|\+\+\+)[ \t]*\r?\n[\s\S]*?\r?\n\1[ \t]*(?:\r?\n|$)/, '')
}

function isTableRuler(line: string): boolean {
  return /^[\s|:-]+$/.test(line) && line.includes('-') && line.includes('|')
}

function lineText(line: string): string {
  const text = line.replace(/^\s*(?:>\s?)+/, '').replace(itemLine, '')
  if (!text.trimStart().startsWith('|')) return text
  const cells = text.split('|').map((cell) => cell.trim())
  return cells.slice(1, cells.at(-1) === '' ? -1 : undefined).join(' | ')
}

function codeBlock(lines: readonly string[]): Block {
  return { kind: 'code', text: lines.join('\n').trim() }
}
