import { type ExpressionType, maxSizeOf } from './expression-types.js'

/** Work per character of text, and per character of a pattern. */
const perCharacter = 0.1
const perPatternCharacter = 0.25
export const listCost = 10
export const mapCost = 30
export const maxCost = Number.MAX_SAFE_INTEGER

/** Calls whose work grows with their texts and lists; see `costOfCall`. */
const proportional = new Set([
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
  'charAt',
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
  'timestamp',
  'duration',
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
])
const perItem = new Set(['@in', 'isSorted', 'sum', 'min', 'max'])
const free = new Set(['_&&_', '_||_', '_?_:_'])

/** Work of looking for a pattern of so many characters in a text of so many. */
export const patternCost = (textLength: number, patternLength: number): number =>
  Math.ceil(textLength * perCharacter) * Math.max(1, Math.ceil(patternLength * perPatternCharacter))
/** No format has a longer pattern. */
const longestFormat = 1000
/** Every item may have to be compared with every other. */
const pairwise: Readonly<Record<string, number>> = {
  'sets.contains': 1,
  'sets.intersects': 1,
  'sets.equivalent': 2,
}

/** Work of the call itself. */
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

/** Results are no larger than what they are made of. */
export function sized(name: string, type: ExpressionType, given: readonly ExpressionType[]): ExpressionType {
  if (!['string', 'bytes', 'list'].includes(type.kind) || type.maxSize !== undefined) return type
  const sizes = given.map(maxSizeOf)
  if (name === '_+_' || name === 'format') return { ...type, maxSize: sizes.reduce((sum, size) => sum + size, 0) }
  if (name === '_?_:_') return { ...type, maxSize: Math.max(sizes[1] ?? 0, sizes[2] ?? 0) }
  if (name === 'replace') return { ...type, maxSize: sizes[0]! * Math.max(1, sizes[2] ?? 1) }
  return { ...type, maxSize: sizes[0] ?? 0 }
}
