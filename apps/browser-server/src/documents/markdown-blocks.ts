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

const fenceLine = /^ {0,3}(?:[-*+] |\d+[.)] )? *(`{3,}|~{3,})(.*)$/
const headingLine = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$/
const underlineLine = /^ {0,3}(=+|-+)[ \t]*$/
const itemLine = /^\s*(?:[-*+]|\d+[.)])\s+/
const tableRuler = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$/

/**
 * Markdown → its blocks, in order. Front matter and HTML comments are left out. A `#` inside a code fence is no
 * heading (field report E01). A line scanner: enough for search and outlines, not a full CommonMark parser.
 */
export function markdownBlocks(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  let code: { readonly mark: string; readonly lines: string[] } | undefined
  const endParagraph = () => {
    const text = plainInline(paragraph.join(' '))
    if (text !== '') blocks.push({ kind: 'text', text })
    paragraph = []
  }
  for (const line of withoutHidden(markdown).split(/\r?\n/)) {
    const fence = fenceLine.exec(line)
    if (code !== undefined) {
      const closes = fence?.[1]?.startsWith(code.mark) && fence[2]?.trim() === ''
      if (!closes) code.lines.push(line)
      else {
        blocks.push(codeBlock(code.lines))
        code = undefined
      }
      continue
    }
    const heading = headingLine.exec(line)
    const underline = paragraph.length > 0 ? underlineLine.exec(line) : null
    if (underline?.[1] !== undefined) {
      blocks.push({
        kind: 'heading',
        level: underline[1].startsWith('=') ? 1 : 2,
        text: plainInline(paragraph.join(' ')),
      })
      paragraph = []
    } else if (fence?.[1] !== undefined) {
      endParagraph()
      code = { mark: fence[1], lines: [] }
    } else if (heading?.[1] !== undefined) {
      endParagraph()
      blocks.push({ kind: 'heading', level: heading[1].length, text: plainInline(heading[2] ?? '') })
    } else if (line.trim() === '' || tableRuler.test(line)) endParagraph()
    else {
      if (itemLine.test(line) || line.trim().startsWith('|')) endParagraph()
      paragraph.push(lineText(line))
    }
  }
  endParagraph()
  if (code !== undefined) blocks.push(codeBlock(code.lines))
  return blocks.filter((block) => block.text !== '')
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
    .replace(/!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/!?\[([^\]]*)\]\[[^\]]*\]/g, '$1')
    .replace(/<(https?:\/\/[^>\s]+)>/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.+?)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=[^\s*])([^*]+?)\*(?![\w*])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

function withoutHidden(markdown: string): string {
  return markdown
    .replace(/^\uFEFF?(---|\+\+\+)[ \t]*\r?\n[\s\S]*?\r?\n\1[ \t]*(?:\r?\n|$)/, '')
    .replace(/^ {0,3}<!--[\s\S]*?-->/gm, '')
}

function lineText(line: string): string {
  const text = line.replace(/^\s*(?:>\s?)+/, '').replace(itemLine, '')
  return text.trim().startsWith('|')
    ? text
        .trim()
        .replace(/^\||\|$/g, '')
        .replace(/\s*\|\s*/g, ' | ')
    : text
}

function codeBlock(lines: readonly string[]): Block {
  return { kind: 'code', text: lines.join('\n').trim() }
}
