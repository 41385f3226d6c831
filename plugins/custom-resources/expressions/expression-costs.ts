import { type ExpressionType, maxSizeOf } from './expression-types.js'

/** Cost per character of a string, and per character of a pattern. */
const perCharacter = 0.1
const perPatternCharacter = 0.25
export const listCost = 10
export const mapCost = 30
export const maxCost = Number.MAX_SAFE_INTEGER

/** Functions whose cost is proportional to the size of their arguments, both in the estimate and in a run. */
export const proportionalFunctions: readonly string[] = [
  'contains',
  'startsWith',
  'endsWith',
  '_==_',
  '_!=_',
  '_<_',
  '_<=_',
  '_>_',
  '_>=_',
  '_+_',
  'bytes',
  'string',
  'indexOf',
  'lastIndexOf',
  'join',
  'lowerAscii',
  'upperAscii',
  'replace',
  'split',
  'substring',
  'trim',
  'url',
  'isURL',
  'format',
  'strings.quote',
  'quantity',
  'isQuantity',
  'ip',
  'isIP',
  'ip.isCanonical',
  'cidr',
  'isCIDR',
  'semver',
  'isSemver',
  'image',
  'isImage',
  'optional.unwrap',
  'unwrapOpt',
]
/** Those of the estimate; see `costOfCall`. */
const proportional = new Set([...proportionalFunctions, 'charAt', 'timestamp', 'duration'])
const perItem = new Set(['@in', 'isSorted', 'sum', 'min', 'max'])
const free = new Set(['_&&_', '_||_', '_?_:_'])

/** Cost of matching a pattern against a string, by their lengths in characters. */
export const patternCost = (textLength: number, patternLength: number): number =>
  Math.ceil(textLength * perCharacter) * Math.max(1, Math.ceil(patternLength * perPatternCharacter))
/** The pattern of every format is shorter. */
const longestFormat = 1000
/** Functions that may compare every item of one list with every item of the other. */
const pairwise: Readonly<Record<string, number>> = {
  'sets.contains': 1,
  'sets.intersects': 1,
  'sets.equivalent': 2,
}

/** Cost of the call itself, without its arguments. */
export function costOfCall(name: string, given: readonly ExpressionType[]): number {
  if (free.has(name)) return 0
  const [first, second] = given
  const sizeOf = (type: ExpressionType | undefined) => (type ? maxSizeOf(type) : 0)
  if (name === 'matches' || name === 'find' || name === 'findAll') return patternCost(sizeOf(first), sizeOf(second))
  if (name === 'validate') return patternCost(sizeOf(second), longestFormat)
  if (pairwise[name]) return 1 + sizeOf(first) * sizeOf(second) * pairwise[name]
  if (perItem.has(name)) return Math.max(1, sizeOf(name === '@in' ? second : first))
  if (!proportional.has(name)) return 1
  if (name === 'startsWith' || name === 'endsWith') return Math.max(1, Math.ceil(sizeOf(second) * perCharacter))
  if (name === 'contains')
    return Math.max(1, Math.ceil(sizeOf(first) * perCharacter)) * Math.max(1, Math.ceil(sizeOf(second) * perCharacter))
  if (/^_[<>=!]/.test(name)) return Math.max(1, Math.ceil(Math.min(sizeOf(first), sizeOf(second)) * perCharacter))
  return Math.max(
    1,
    Math.ceil(
      given.reduce((sum, type) => sum + (type.maxSize ?? (type.kind === 'string' ? maxSizeOf(type) : 1)), 0) *
        perCharacter,
    ),
  )
}

/** Bounds the size of a result by the sizes of the arguments. */
export function sized(name: string, type: ExpressionType, given: readonly ExpressionType[]): ExpressionType {
  if (!['string', 'bytes', 'list'].includes(type.kind) || type.maxSize !== undefined) return type
  const sizes = given.map(maxSizeOf)
  if (name === '_+_' || name === 'format') return { ...type, maxSize: sizes.reduce((sum, size) => sum + size, 0) }
  if (name === '_?_:_') return { ...type, maxSize: Math.max(sizes[1] ?? 0, sizes[2] ?? 0) }
  if (name === 'replace') return { ...type, maxSize: sizes[0]! * Math.max(1, sizes[2] ?? 1) }
  return { ...type, maxSize: sizes[0] ?? 0 }
}
