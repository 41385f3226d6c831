import { type CelFunc, CelScalar, celFunc, celMethod, listType, mapType } from '@bufbuild/cel'
import { strings } from '@bufbuild/cel/ext'
import { compilePattern } from '../schemas/pattern.js'

const { INT, STRING, BOOL, DYN } = CelScalar
const List = listType(DYN)
const Map_ = mapType(DYN, DYN)

/** A URL is told from other maps by what is in it. */
const urlOf = (text: string): URL => {
  const isRelative = text.startsWith('/') && !text.startsWith('//')
  if (!isRelative && !/^[a-z][a-z0-9+.-]*:/i.test(text))
    throw new Error(`URL parse error during conversion from string: ${JSON.stringify(text)}`)
  if (/[\s<>"^`{|}]/.test(text))
    throw new Error(`URL parse error during conversion from string: ${JSON.stringify(text)}`)
  return new URL(text, isRelative ? 'relative:///' : undefined)
}
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
        ? (/^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(text)?.[1] ?? '')
        : url.pathname,
    ],
    ['query', query],
  ])
}
function isUrl(text: string): boolean {
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
/** Something that can be compared: whole numbers of either kind, times and durations are wrapped. */
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
const isEqual = (a: unknown, b: unknown) => a === b || (typeof a === typeof b && plain(a) === plain(b))

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

/** What the field's expressions know beside the functions of the language. */
export const extensionFunctions: CelFunc[] = [...strings, ...listFunctions, ...patternFunctions, ...urlFunctions]
