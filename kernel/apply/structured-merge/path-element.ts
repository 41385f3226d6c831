import { memoize } from '../../schema/derive.js'
import { escapedJson, isObject, type JsonObject } from './json-values.js'

/**
 * One element of a path, in the notation of FieldsV1:
 * - `f:name` a field or map key,
 * - `k:{"name":"a"}` the item of a map list with these keys,
 * - `v:"x"` an item of a set,
 * - `i:3` an item by position (never produced, but understood).
 */
export type PathElement = string

/** Marks the path itself as a member of the set. */
export const self = '.'

export const fieldElement = (name: string): PathElement => `f:${name}`
export const valueElement = (value: unknown): PathElement => `v:${escapedJson(value)}`

/** The element of a map list's item. `names` must be sorted: so are the keys in the text. */
export function keyElement(names: readonly string[], values: readonly unknown[]): PathElement {
  let text = 'k:{'
  for (let i = 0; i < names.length; i++) text += `${i > 0 ? ',' : ''}${escapedJson(names[i])}:${escapedJson(values[i])}`
  return `${text}}`
}

/** The canonical form of a sent element; `undefined` for an unknown kind, which is ignored. Throws if it is malformed. */
export function canonicalElement(text: string): PathElement | undefined {
  switch (text.slice(0, 2)) {
    case 'f:':
      return text
    case 'k:': {
      const keys: unknown = JSON.parse(text.slice(2))
      if (!isObject(keys)) throw new SyntaxError(`not a key: ${text}`)
      const names = Object.keys(keys).sort()
      return keyElement(
        names,
        names.map(name => keys[name]),
      )
    }
    case 'v:':
      return valueElement(JSON.parse(text.slice(2)))
    case 'i:':
      if (!/^i:-?[0-9]+$/.test(text)) throw new SyntaxError(`not an index: ${text}`)
      return text
    default:
      if (text.length < 2) throw new SyntaxError('key must be 2 characters long')
      return undefined
  }
}

const kindOrder = '.fkvi'

/** The order in which elements are written: fields, keys, values, indexes; then by their values. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0
  const kind = left.charAt(0)
  if (kind !== right.charAt(0)) return kindOrder.indexOf(kind) - kindOrder.indexOf(right.charAt(0))
  return kind === 'f' ? compareText(left, right) : compareValues(knownContentOf(left), knownContentOf(right))
}

/** For more elements than this, each is parsed once instead of once per comparison. */
const fewElements = 8

/** Puts elements in the order in which they are written, `.` first. */
export function sortElements(elements: PathElement[]): PathElement[] {
  if (elements.length <= fewElements) return elements.sort(compareElements)
  // Without surrogates, the order of code points is that of UTF-16 units, which the built-in sort uses.
  if (elements.every(isPlainField)) return elements.sort()
  const read = elements.map(element => ({
    element,
    kind: kindOrder.indexOf(element.charAt(0)),
    content: contentOf(element),
  }))
  read.sort((left, right) => left.kind - right.kind || compareValues(left.content, right.content))
  return read.map(({ element }) => element)
}
const isPlainField = (element: PathElement) => element.startsWith('f:') && !/[\ud800-\udfff]/.test(element)

/** The value of an element; of a key, its names and values alternately, which canonical elements have in order. */
function contentOf(element: PathElement): unknown {
  switch (element.charAt(0)) {
    case 'k':
      return pairs(JSON.parse(element.slice(2)) as JsonObject)
    case 'v':
      return JSON.parse(element.slice(2))
    case 'i':
      return Number(element.slice(2))
    default:
      return element
  }
}

/** At this size the cache is cleared. */
const maxContents = 10_000

/** Cached because most objects have the same few container names and ports. */
const knownContentOf = memoize(contentOf, maxContents)

/** By code point, as Go compares strings; JavaScript compares UTF-16 units, which differs for rare characters. */
export function compareText(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let i = 0; i < shorter; i++) {
    const a = left.charCodeAt(i)
    const b = right.charCodeAt(i)
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1
  }
  return left.length - right.length
}
const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff

const typeOrder = ['number', 'string', 'boolean', 'list', 'object', 'null']
const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : (typeof value as 'number' | 'string' | 'boolean' | 'object')

function compareValues(left: unknown, right: unknown): number {
  const type = typeOf(left)
  if (type !== typeOf(right)) return typeOrder.indexOf(type) - typeOrder.indexOf(typeOf(right))
  switch (type) {
    case 'number':
      return (left as number) - (right as number)
    case 'string':
      return compareText(left as string, right as string)
    case 'boolean':
      return Number(left) - Number(right)
    case 'list':
      return compareLists(left as unknown[], right as unknown[])
    case 'object':
      return compareLists(pairs(left as JsonObject), pairs(right as JsonObject))
    default:
      return 0
  }
}

function compareLists(left: readonly unknown[], right: readonly unknown[]): number {
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareValues(left[i], right[i])
    if (order !== 0) return order
  }
  return left.length - right.length
}
const pairs = (object: JsonObject) => Object.entries(object).flat()

/** The notation in conflicts: `.data`, `[name="a"]`, `[="x"]`, `[3]`. */
export function describeElement(element: PathElement): string {
  const rest = element.slice(2)
  switch (element.charAt(0)) {
    case 'f':
      return `.${rest}`
    case 'k': {
      const keys = JSON.parse(rest) as JsonObject
      return `[${Object.keys(keys)
        .map(name => `${name}=${JSON.stringify(keys[name])}`)
        .join(',')}]`
    }
    case 'v':
      return `[=${rest}]`
    default:
      return `[${rest}]`
  }
}

export const describePath = (path: readonly PathElement[]): string => path.map(describeElement).join('')
