/** The part of the DOM that is used here; linkedom provides it, and the project compiles without the DOM library. */
export interface DomNode {
  /** 1 element, 3 text. */
  readonly nodeType: number
  textContent: string | null
  readonly childNodes: Iterable<DomNode>
}

export interface DomElement extends DomNode {
  /** Upper case for HTML. */
  readonly tagName: string
  readonly innerHTML: string
  readonly parentElement: DomElement | null
  readonly children: Iterable<DomElement>
  getAttribute(name: string): string | null
  closest(selector: string): DomElement | null
  querySelector(selector: string): DomElement | null
  querySelectorAll(selector: string): Iterable<DomElement>
  remove(): void
}

export interface DomDocument {
  readonly body: DomElement
  querySelector(selector: string): DomElement | null
  querySelectorAll(selector: string): Iterable<DomElement>
}

/** True for an element node. */
export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1
}
