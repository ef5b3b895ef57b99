import { htmlBlocks } from './html-blocks.js'
import { htmlTitle, oneLine, parseHtml, removeChrome } from './html-document.js'
import { type Block, markdownBlocks } from './markdown-blocks.js'

/** What a document says, without markup and page chrome. */
export interface DocumentContent {
  readonly title: string
  readonly blocks: readonly Block[]
}

/**
 * Reads the text of a library document by its kind (HTML by its extension, else markdown; plain text is markdown
 * without marks). The title is the first heading, else HTML's `<title>`, else the file's name as words.
 */
export function documentContent(path: string, text: string): DocumentContent {
  if (/\.html?$/i.test(path)) {
    const document = parseHtml(text)
    const content = removeChrome(document)
    return { title: htmlTitle(document) || nameAsTitle(path), blocks: htmlBlocks(content) }
  }
  const blocks = markdownBlocks(text)
  const heading = blocks.find((block) => block.kind === 'heading')
  return { title: oneLine(heading?.text) || nameAsTitle(path), blocks }
}

function nameAsTitle(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
  return name.replace(/[-_]+/g, ' ').trim() || name
}
