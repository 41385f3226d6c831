/**
 * The schemas of the fields of an object, each parsed on first use: a definition may have tens of thousands, of which
 * an object uses few.
 */
export class LazyNodes<Node extends object> implements ReadonlyMap<string, Node> {
  readonly #sources: ReadonlyMap<string, unknown>
  readonly #read: (source: unknown) => Node
  readonly #nodes = new Map<string, Node>()

  constructor(sources: Readonly<Record<string, unknown>>, read: (source: unknown) => Node) {
    this.#sources = new Map(Object.entries(sources))
    this.#read = read
  }

  get size(): number {
    return this.#sources.size
  }
  has(name: string): boolean {
    return this.#sources.has(name)
  }
  get(name: string): Node | undefined {
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
  *values(): MapIterator<Node> {
    for (const name of this.#sources.keys()) yield this.get(name)!
  }
  *entries(): MapIterator<[string, Node]> {
    for (const name of this.#sources.keys()) yield [name, this.get(name)!]
  }
  [Symbol.iterator](): MapIterator<[string, Node]> {
    return this.entries()
  }
  forEach(tell: (node: Node, name: string, map: ReadonlyMap<string, Node>) => void): void {
    for (const [name, node] of this) tell(node, name, this)
  }
}
