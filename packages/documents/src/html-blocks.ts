import { type DomElement, type DomNode, isElement } from './dom.js'
import { oneLine } from './html-document.js'
import type { Block } from './markdown-blocks.js'

const blockTags = new Set(
  (
    'ADDRESS ARTICLE BLOCKQUOTE BODY BR CAPTION DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM HEADER ' +
    'HR LI MAIN OL P SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL'
  ).split(' '),
)

/** The blocks of an HTML element, in order: the same shape as those of markdown, code marks included. */
export function htmlBlocks(content: DomElement): readonly Block[] {
  const blocks: Block[] = []
  let inline = ''
  const endInline = () => {
    const text = oneLine(inline).replace(/^\| | \|$/g, '')
    if (text !== '') blocks.push({ kind: 'text', text })
    inline = ''
  }
  // Its own stack instead of recursion: pages nest without limit. A function on it is work to do after the children.
  const waiting: (DomNode | (() => void))[] = [content]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'function') next()
    else if (next.nodeType === 3) inline += next.textContent ?? ''
    else if (isElement(next)) {
      const tag = next.tagName
      if (/^H[1-6]$/.test(tag) || tag === 'PRE') {
        endInline()
        blocks.push(
          tag === 'PRE'
            ? codeBlock(next)
            : { kind: 'heading', level: Number(tag[1]), text: oneLine(next.textContent) },
        )
        continue
      }
      if (tag === 'CODE') {
        inline += `\`${next.textContent ?? ''}\``
        continue
      }
      if (tag === 'TD' || tag === 'TH')
        waiting.push(() => {
          inline += ' | '
        })
      if (blockTags.has(tag)) {
        endInline()
        waiting.push(endInline)
      }
      // One by one: a hundred thousand children are too many arguments.
      for (const child of [...next.childNodes].reverse()) waiting.push(child)
    }
  }
  endInline()
  return blocks.filter((block) => block.text !== '')
}

function codeBlock(element: DomElement): Block {
  return { kind: 'code', text: (element.textContent ?? '').trim() }
}
