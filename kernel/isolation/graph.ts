import { isObject, setOwn } from '../../libs/json/index.js'

/**
 * Serializes definitions for another process. Schemas are graphs (a struct may be shared, or contain itself) whose
 * objects have symbols as keys, so every object is a node in a list and refers to others by index. Functions stay in
 * their own process and are called by number.
 */
export interface Graph {
  readonly root: GraphValue
  readonly parts: readonly GraphPart[]
}
type GraphValue = string | number | boolean | null | { readonly part: number } | { readonly function: number }
type GraphPart =
  | { readonly items: readonly GraphValue[] }
  | { readonly fields: readonly GraphField[]; readonly marks?: readonly GraphField[] }
type GraphField = readonly [name: string, value: GraphValue]

const maxParts = 200_000

/** Thrown for values that cannot be serialized. */
export class NotDescribable extends Error {}

/** Serializes a value. `numberOf` registers a function and returns its number. Fields in `without` are left out. */
export function describeGraph(
  value: unknown,
  numberOf: (call: (...args: never[]) => unknown) => number,
  without: readonly string[] = [],
): Graph {
  const parts: GraphPart[] = []
  const known = new Map<object, number>()
  const describe = (each: unknown): GraphValue | undefined => {
    if (each === undefined) return undefined
    if (each === null || typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean') return each
    if (typeof each === 'function') return { function: numberOf((...args) => each(...args)) }
    if (typeof each !== 'object') throw new NotDescribable(`a ${typeof each}`)
    const before = known.get(each)
    if (before !== undefined) return { part: before }
    const node = parts.length
    known.set(each, node)
    // Reserve the index before visiting children, so that cycles end here.
    parts.push({ items: [] })
    parts[node] = Array.isArray(each) ? { items: each.map(item => describe(item) ?? null) } : describeObject(each)
    return { part: node }
  }
  const describeObject = (object: object): GraphPart => {
    if (object instanceof RegExp || object instanceof Map || object instanceof Set || object instanceof Date)
      throw new NotDescribable(`a ${object.constructor.name}`)
    const fields = Object.entries(object).flatMap(([name, each]) => fieldOf(name, each))
    const marks = Object.getOwnPropertySymbols(object).flatMap(mark =>
      fieldOf(Symbol.keyFor(mark) ?? '', Reflect.get(object, mark)),
    )
    return marks.length === 0 ? { fields } : { fields, marks: marks.filter(([name]) => name !== '') }
  }
  const fieldOf = (name: string, each: unknown): GraphField[] => {
    const described = without.includes(name) ? undefined : describe(each)
    return described === undefined ? [] : [[name, described]]
  }
  return { root: describe(value) ?? null, parts }
}

/**
 * Rebuilds the value that another process serialized. `functionAt` makes a stub for a numbered function; the path says
 * where it belongs, such as `strategy.validate`. Throws if the input is not a valid graph.
 */
export function readGraph(graph: unknown, functionAt: (id: number, path: string) => unknown): unknown {
  if (!isObject(graph) || !Array.isArray(graph['parts'])) throw new NotDescribable('no description')
  const parts: readonly unknown[] = graph['parts']
  if (parts.length > maxParts) throw new NotDescribable(`a description of more than ${maxParts} parts`)
  const made = new Map<number, object>()
  // An explicit stack instead of recursion: the input may be arbitrarily deep.
  const unfilled: { readonly node: unknown; readonly into: object; readonly path: string }[] = []
  const read = (value: unknown, path: string): unknown => {
    if (!isObject(value)) return value
    if (typeof value['function'] === 'number') return functionAt(value['function'], path)
    const index = value['part']
    if (typeof index !== 'number' || !(index in parts)) throw new NotDescribable(`no such part (${path})`)
    const before = made.get(index)
    if (before) return before
    const node = parts[index]
    const into: object = isObject(node) && Array.isArray(node['items']) ? [] : {}
    made.set(index, into)
    unfilled.push({ node, into, path })
    return into
  }
  const root = read(graph['root'], '')
  for (let next = unfilled.pop(); next; next = unfilled.pop()) fill(next.node, next.into, next.path, read)
  return root
}

function fill(node: unknown, into: object, path: string, read: (value: unknown, path: string) => unknown): void {
  if (!isObject(node)) throw new NotDescribable(`a part that is no object (${path})`)
  const { items, fields, marks = [] } = node
  if (Array.isArray(into) && Array.isArray(items)) {
    for (const [index, item] of items.entries()) into.push(read(item, `${path}[${index}]`))
    return
  }
  if (!Array.isArray(fields) || !Array.isArray(marks)) throw new NotDescribable(`a part without fields (${path})`)
  const record: Record<string, unknown> = Object.assign(into)
  for (const [name, value] of named(fields)) setOwn(record, name, read(value, path === '' ? name : `${path}.${name}`))
  for (const [name, value] of named(marks))
    Object.defineProperty(record, Symbol.for(name), { value: read(value, path), enumerable: true })
}

function* named(fields: readonly unknown[]): Iterable<readonly [string, unknown]> {
  for (const field of fields) {
    if (!Array.isArray(field) || typeof field[0] !== 'string') throw new NotDescribable('a field without a name')
    yield [field[0], field[1]]
  }
}
