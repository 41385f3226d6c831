import type { SchemaNode } from './schema-node.js'

/**
 * The schemas of the fields of an object, each read when it is first needed: a definition may have tens of thousands, of which an
 * object uses few.
 */
export class LazyNodes implements ReadonlyMap<string, SchemaNode> {
  readonly #sources: ReadonlyMap<string, unknown>
  readonly #read: (source: unknown) => SchemaNode
  readonly #nodes = new Map<string, SchemaNode>()

  constructor(sources: Readonly<Record<string, unknown>>, read: (source: unknown) => SchemaNode) {
    this.#sources = new Map(Object.entries(sources))
    this.#read = read
  }

  get size(): number {
    return this.#sources.size
  }
  has(name: string): boolean {
    return this.#sources.has(name)
  }
  get(name: string): SchemaNode | undefined {
    const known = this.#nodes.get(name)
    if (known || !this.#sources.has(name)) return known
    const node = this.#read(this.#sources.get(name))
    this.#nodes.set(name, node)
    return node
  }
  /** The schema of a field as it was sent. */
  sourceOf(name: string): unknown {
    return this.#sources.get(name)
  }
  keys(): MapIterator<string> {
    return this.#sources.keys()
  }
  *values(): MapIterator<SchemaNode> {
    for (const name of this.#sources.keys()) yield this.get(name)!
  }
  *entries(): MapIterator<[string, SchemaNode]> {
    for (const name of this.#sources.keys()) yield [name, this.get(name)!]
  }
  [Symbol.iterator](): MapIterator<[string, SchemaNode]> {
    return this.entries()
  }
  forEach(tell: (node: SchemaNode, name: string, map: ReadonlyMap<string, SchemaNode>) => void): void {
    for (const [name, node] of this) tell(node, name, this)
  }
}
