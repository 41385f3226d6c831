import { type CelFunc, CelScalar, celFunc, celMethod, listType, mapType } from '@bufbuild/cel'
import { strings } from '@bufbuild/cel/ext'
import { compilePattern } from '../schemas/pattern.js'
import { isEqual } from './equality.js'

const { INT, STRING, BOOL, DYN } = CelScalar
const List = listType(DYN)
const Map_ = mapType(DYN, DYN)

/** Parses a URL. */
const urlOf = (text: string): URL => {
  const isRelative = text.startsWith('/') && !text.startsWith('//')
  if (!isRelative && !/^[a-z][a-z0-9+.-]*:/i.test(text))
    throw new Error(`URL parse error during conversion from string: ${JSON.stringify(text)}`)
  // The host part must not contain characters that need escaping; later parts are escaped on output.
  if (/[\s<>"^`{|}]/.test(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i.exec(text)?.[0] ?? '') || controls.test(text))
    throw new Error(`URL parse error during conversion from string: ${JSON.stringify(text)}`)
  return new URL(text, isRelative ? 'relative:///' : undefined)
}
const controls = /[\x00-\x1f\x7f]/
/** Escapes a path without escaping existing escapes again. */
const escapedPath = (path: string) => path.replace(/[^\w$&+,/:;=@.~!'()*%[\]-]/gu, encodeURIComponent)
const partsOf = (text: string) => {
  const url = urlOf(text)
  const isRelative = url.protocol === 'relative:'
  const query = new Map<string, string[]>()
  for (const [key, value] of url.searchParams) query.set(key, [...(query.get(key) ?? []), value])
  const writtenHost = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(text)?.[1] ?? ''
  const port = /:(\d+)$/.exec(writtenHost)?.[1] ?? ''
  return new Map<string, unknown>([
    ['scheme', isRelative ? '' : url.protocol.slice(0, -1)],
    ['host', writtenHost],
    ['hostname', writtenHost.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')],
    ['port', port],
    [
      'path',
      text.includes('://') || isRelative
        ? escapedPath(/^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(text)?.[1] ?? '')
        : url.pathname,
    ],
    ['query', query],
  ])
}
export function isUrl(text: string): boolean {
  try {
    urlOf(text)
    return true
  } catch {
    return false
  }
}
type Parts = { get(key: string): unknown }
const urlPart = (name: string, part: string) =>
  celMethod(name, Map_, [], STRING, function (this: unknown) {
    return (this as Parts).get(part) as string
  })

type Items = Iterable<unknown>
const compare = (a: unknown, b: unknown): number => {
  const [x, y] = [plain(a), plain(b)] as [number, number]
  return x < y ? -1 : x > y ? 1 : 0
}
/** Unwraps unsigned integers, timestamps and durations for comparison. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if ('value' in value) return (value as { value: bigint }).value
  const { seconds = 0n, nanos = 0 } = ((value as { message?: unknown }).message ?? {}) as {
    seconds?: bigint
    nanos?: number
  }
  return seconds * 1_000_000_000n + BigInt(nanos)
}
function extreme(items: Items, wanted: -1 | 1, name: string): unknown {
  let best: { value: unknown } | undefined
  for (const value of items) if (!best || compare(value, best.value) === wanted) best = { value }
  if (!best) throw new Error(`${name} called on empty list`)
  return best.value
}

const listFunctions: CelFunc[] = [
  celMethod('isSorted', List, [], BOOL, function (this: unknown) {
    let last: { value: unknown } | undefined
    for (const value of this as Items) {
      if (last && compare(last.value, value) > 0) return false
      last = { value }
    }
    return true
  }),
  celMethod('sum', List, [], DYN, function (this: unknown) {
    let sum: bigint | number | undefined
    for (const value of this as Items) {
      const number = plain(value) as bigint | number
      sum = sum === undefined ? number : (sum as number) + (number as number)
    }
    return sum ?? 0n
  }),
  celMethod('min', List, [], DYN, function (this: unknown) {
    return extreme(this as Items, -1, 'min') as bigint
  }),
  celMethod('max', List, [], DYN, function (this: unknown) {
    return extreme(this as Items, 1, 'max') as bigint
  }),
  celMethod('indexOf', List, [DYN], INT, function (this: unknown, wanted: unknown) {
    return BigInt([...(this as Items)].findIndex(value => isEqual(value, wanted)))
  }),
  celMethod('lastIndexOf', List, [DYN], INT, function (this: unknown, wanted: unknown) {
    return BigInt([...(this as Items)].findLastIndex(value => isEqual(value, wanted)))
  }),
]

function findAll(text: string, pattern: string, limit = -1): string[] {
  const matcher = compilePattern(pattern).matcher(text)
  const found: string[] = []
  while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? '')
  return found
}
const patternFunctions: CelFunc[] = [
  celFunc('matches', [STRING, STRING], BOOL, (text, pattern) => compilePattern(pattern).test(text)),
  celMethod('find', STRING, [STRING], STRING, function (this: string, pattern: string) {
    return findAll(this, pattern, 1)[0] ?? ''
  }),
  celMethod('findAll', STRING, [STRING], listType(STRING), function (this: string, pattern: string) {
    return findAll(this, pattern)
  }),
  celMethod(
    'findAll',
    STRING,
    [STRING, INT],
    listType(STRING),
    function (this: string, pattern: string, limit: bigint) {
      return findAll(this, pattern, Number(limit))
    },
  ),
]

const urlFunctions: CelFunc[] = [
  celFunc('url', [STRING], Map_, text => partsOf(text) as never),
  celFunc('isURL', [STRING], BOOL, isUrl),
  urlPart('getScheme', 'scheme'),
  urlPart('getHost', 'host'),
  urlPart('getHostname', 'hostname'),
  urlPart('getPort', 'port'),
  urlPart('getEscapedPath', 'path'),
  celMethod('getQuery', Map_, [], Map_, function (this: unknown) {
    return (this as Parts).get('query') as never
  }),
]

/** Replaces up to `limit` occurrences; all if it is negative. */
function replace(text: string, old: string, by: string, limit: number): string {
  const pieces = split(text, old, limit < 0 ? limit : limit + 1)
  if (old !== '') return pieces.join(by)
  // The empty string occurs before every character and at the end.
  const letters = [...text]
  const found = limit < 0 ? letters.length + 1 : Math.min(limit, letters.length + 1)
  return [...letters, ''].map((letter, index) => (index < found ? by : '') + letter).join('')
}
/** Splits into at most `limit` parts; the last one contains the remainder. */
function split(text: string, by: string, limit: number): string[] {
  if (limit === 0) return []
  const pieces = by === '' ? [...text] : text.split(by)
  if (limit < 0 || pieces.length <= limit) return pieces
  return [...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(by)]
}
/** Replacements for functions of the library that drop the remainder beyond the limit and handle empty strings differently. */
const textFunctions: CelFunc[] = [
  celMethod('replace', STRING, [STRING, STRING], STRING, function (this: string, old: string, by: string) {
    return replace(this, old, by, -1)
  }),
  celMethod('replace', STRING, [STRING, STRING, INT], STRING, function (this: string, old, by, limit) {
    return replace(this, old, by, Number(limit))
  }),
  celMethod('split', STRING, [STRING], List, function (this: string, by: string) {
    return split(this, by, -1)
  }),
  celMethod('split', STRING, [STRING, INT], List, function (this: string, by: string, limit: bigint) {
    return split(this, by, Number(limit))
  }),
]

/** The functions that Kubernetes adds to CEL. */
export const extensionFunctions: CelFunc[] = [
  ...strings,
  ...textFunctions,
  ...listFunctions,
  ...patternFunctions,
  ...urlFunctions,
]
