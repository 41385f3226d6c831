/**
 * The sidecar of an object: the version that it is stored in, its labels and its selectable fields, as bytes beside its body,
 * so that selectors can be evaluated, and bodies recognised as ready to send, without parsing JSON.
 *
 *   { version: 'v1', labels: { app: 'web' }, fields: { 'metadata.name': 'a' } }
 *   00 'v' 01 'v1' 00 'lapp' 01 'web' 00 'fmetadata.name' 01 'a' 00
 *
 * The version comes first, with the form of its schema behind an @ where that can change; objects written before it was stored
 * have none.
 * 00 ends an entry and 01 ends a name. Values of fields may hold any character, so 00, 01 and 02 inside a name or value
 * become 02 '0', 02 '1', 02 '2'. Hence the bytes 00 'lapp' 01 'web' 00 occur if and only if the label is set so: equality
 * is one search for a needle that is made once per selector.
 */
import type { AttributeFilter, AttributeLookup, Store } from 'orch/sdk/host'

export type AttributeKind = 'l' | 'f'

export interface Attributes {
  /** The version of the body, as `storedMark` makes it. */
  readonly version?: string
  readonly labels: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
}

const entryEnd = 0
const versionKind = 0x76
const nothing = Buffer.alloc(0)

const special = /[\x00-\x02]/g
const escaped = (text: string): string => text.replace(special, character => `\x02${character.charCodeAt(0)}`)
const unescaped = (text: string): string =>
  text.includes('\x02') ? text.replace(/\x02([012])/g, (_, digit: string) => String.fromCharCode(Number(digit))) : text

export function encodeAttributes({ version, labels, fields }: Partial<Attributes>): Buffer {
  let text = version === undefined ? '' : `v\x01${escaped(version)}\x00`
  for (const name in labels) text += `l${escaped(name)}\x01${escaped(labels[name]!)}\x00`
  for (const name in fields) text += `f${escaped(name)}\x01${escaped(fields[name]!)}\x00`
  return text === '' ? nothing : Buffer.from(`\x00${text}`)
}

export function readAttributes(buffer: Buffer): Attributes {
  const labels: Record<string, string> = {}
  const fields: Record<string, string> = {}
  const version = storedVersionOf(buffer)
  for (const entry of buffer.toString().split('\x00')) {
    if (entry === '' || entry[0] === 'v') continue
    const end = entry.indexOf('\x01')
    const into = entry[0] === 'l' ? labels : fields
    into[unescaped(entry.slice(1, end))] = unescaped(entry.slice(end + 1))
  }
  return { ...(version === undefined ? {} : { version }), labels, fields }
}

/** What an object is marked with when it is stored. */
export const storedMark = (version: string, form?: string): string =>
  form === undefined ? version : `${version}@${form}`
/** How the attributes of every object with a mark begin. */
export const versionMark = (mark: string): Buffer => Buffer.from(`\x00v\x01${escaped(mark)}\x00`)
export const isVersionMarked = (bytes: Buffer, start: number, end: number): boolean =>
  end - start > 2 && bytes[start + 1] === versionKind
/** The mark that attributes begin with, empty if there is none: attributes with equal marks are of one version and form. */
export function markOf(bytes: Buffer, start: number, end: number): string {
  if (!isVersionMarked(bytes, start, end)) return ''
  let to = start + 1
  while (to < end && bytes[to] !== entryEnd) to++
  return bytes.toString('latin1', start, to + 1)
}
/** The version that an object is stored in; undefined when it was written before versions were stored. */
export const storedVersionOf = (attributes: Buffer): string | undefined =>
  isVersionMarked(attributes, 0, attributes.length)
    ? unescaped(attributes.toString('utf8', 3, attributes.indexOf(entryEnd, 3))).split('@', 1)[0]
    : undefined

const nameNeedle = (kind: AttributeKind, name: string): Buffer => Buffer.from(`\x00${kind}${escaped(name)}\x01`)
const entryNeedle = (kind: AttributeKind, name: string, value: string): Buffer =>
  Buffer.from(`\x00${kind}${escaped(name)}\x01${escaped(value)}\x00`)

/**
 * The position of a needle or -1. Every needle starts with 00, so only starts of entries are compared: 0.16 us for 110
 * bytes, the same as Buffer.indexOf, and no worse for the first calls.
 */
function find(buffer: Buffer, needle: Buffer, from = 0, end = buffer.length): number {
  const last = end - needle.length
  const length = needle.length
  for (let start = from; start <= last; ) {
    let matched = 1
    while (matched < length && buffer[start + matched] === needle[matched]) matched++
    if (matched === length) return start
    start++
    while (start <= last && buffer[start] !== entryEnd) start++
  }
  return -1
}

function valueAfter(buffer: Buffer, needle: Buffer): string | undefined {
  const found = find(buffer, needle)
  if (found < 0) return undefined
  const start = found + needle.length
  return unescaped(buffer.toString('utf8', start, buffer.indexOf(entryEnd, start)))
}

export const attributeEquals = (buffer: Buffer, kind: AttributeKind, name: string, value: string): boolean =>
  find(buffer, entryNeedle(kind, name, value)) >= 0

/** The value, or undefined when the object has no such label or field. */
export const attributeOf = (buffer: Buffer, kind: AttributeKind, name: string): string | undefined =>
  valueAfter(buffer, nameNeedle(kind, name))

/** The bytes of a looked-up value as a text of one character for each, undefined when it is absent. */
export function lookUp(bytes: Buffer, start: number, end: number, name: Buffer): string | undefined {
  const found = find(bytes, name, start, end)
  if (found < 0) return undefined
  const from = found + name.length
  let to = from
  while (to < end && bytes[to] !== entryEnd) to++
  return bytes.toString('latin1', from, to)
}

/** One condition of a selector. `in` and `notIn` follow Kubernetes: an absent name is not in any set. */
export interface AttributeRequirement {
  readonly kind: AttributeKind
  readonly name: string
  readonly operator: 'in' | 'notIn' | 'exists' | 'notExists' | 'passes'
  /** For `in` and `notIn`. */
  readonly values?: readonly string[]
  /** For `passes`: tests the value, which is undefined if absent. */
  readonly passes?: (value: string | undefined) => boolean
}

export type AttributeMatcher = (attributes: Buffer) => boolean

function compileRequirement({ kind, name, operator, values = [], passes }: AttributeRequirement): AttributeMatcher {
  const named = nameNeedle(kind, name)
  const only = values.length === 1 ? entryNeedle(kind, name, values[0]!) : undefined
  // Looked up once, however many values there are: a selector may have thousands, and so may an object have labels.
  const wanted = new Set(only ? [] : values.map(value => Buffer.from(escaped(value)).toString('latin1')))
  const isWanted = (attributes: Buffer): boolean => {
    if (only) return find(attributes, only) >= 0
    const found = lookUp(attributes, 0, attributes.length, named)
    return found !== undefined && wanted.has(found)
  }
  switch (operator) {
    case 'exists':
      return attributes => find(attributes, named) >= 0
    case 'notExists':
      return attributes => find(attributes, named) < 0
    case 'in':
      return isWanted
    case 'notIn':
      return attributes => !isWanted(attributes)
    case 'passes':
      return attributes => passes?.(valueAfter(attributes, named)) ?? false
  }
}

/** Names of the key: a list by one of them reads a range of keys and needs no lookup. */
const keyFields: readonly string[] = ['metadata.name', 'metadata.namespace']

/** Compiles a selector for lists, with what an engine can look up. */
export function compileAttributeFilter(requirements: readonly AttributeRequirement[]): AttributeFilter {
  const lookups = requirements.flatMap(({ kind, name, operator, values = [] }): AttributeLookup[] =>
    operator === 'in' && !(kind === 'f' && keyFields.includes(name))
      ? [{ name: nameNeedle(kind, name), values: values.map(value => Buffer.from(escaped(value))) }]
      : [],
  )
  return Object.assign(compileAttributeMatcher(requirements), lookups.length === 0 ? {} : { lookups })
}

/** Compiles a selector once; the matcher then costs well under a microsecond for an object. */
export function compileAttributeMatcher(requirements: readonly AttributeRequirement[]): AttributeMatcher {
  const matchers = requirements.map(compileRequirement)
  const [first, ...others] = matchers
  if (first === undefined) return () => true
  if (others.length === 0) return first
  if (matchers.length > searchedOneByOne) return matcherOfMany(requirements)
  return attributes => matchers.every(matches => matches(attributes))
}

/** Beyond this number, searching for names one by one takes longer than reading all names of an object once. */
const searchedOneByOne = 16

/** A selector of very many requirements: its time is linear in requirements and labels, not in their product. */
function matcherOfMany(requirements: readonly AttributeRequirement[]): AttributeMatcher {
  const tests = requirements.map(({ kind, name, operator, values = [], passes }) => {
    const wanted = new Set(values)
    const holds = (value: string | undefined): boolean => {
      switch (operator) {
        case 'exists':
          return value !== undefined
        case 'notExists':
          return value === undefined
        case 'in':
          return value !== undefined && wanted.has(value)
        case 'notIn':
          return value === undefined || !wanted.has(value)
        case 'passes':
          return passes?.(value) ?? false
      }
    }
    return { kind, name, holds }
  })
  return attributes => {
    const { labels, fields } = readAttributes(attributes)
    return tests.every(({ kind, name, holds }) => {
      const values = kind === 'l' ? labels : fields
      return holds(Object.hasOwn(values, name) ? values[name] : undefined)
    })
  }
}

/** How many objects of a collection are stored in each version; those without one are under ''. */
export async function countVersions(store: Pick<Store, 'list'>, collection: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const count = (attributes: Buffer) => {
    const version = storedVersionOf(attributes) ?? ''
    counts.set(version, (counts.get(version) ?? 0) + 1)
    // The filter rejects everything, so that no body is copied.
    return false
  }
  const page = await store.list({ prefix: `${collection}/`, filter: count })
  for await (const _ of page.items);
  return counts
}
