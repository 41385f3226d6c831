import {
  add,
  type CallEstimate,
  CelList,
  CelMap,
  type CostModel,
  type EstimatedNode,
  exactly,
  isExactType,
  listCost,
  matching,
  multiply,
  OpaqueValue,
  patternFactor,
  type Range,
  type SizeEstimates,
  scale,
  sizeOfValue,
  structCost,
  traversal,
  traversalFactor,
  unbounded,
  type Work,
} from '../cel/index.js'

type Estimate = (
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
  sizes: SizeEstimates,
  overload: string,
) => CallEstimate | undefined
type Cost = (args: readonly unknown[], overload: string, work: Work) => number
interface Counted {
  readonly estimate: Estimate
  readonly cost: Cost
}

/** An authorization check may call a webhook, so the budget covers only two of them. */
const costOfCheck = 350_000
const constant = (cost: number): Counted => ({ estimate: () => ({ cost: exactly(cost) }), cost: () => cost })
const one = constant(1)

const estimateTraversal = (size: Range, factor = 1): Range => scale(size, factor * traversalFactor)
/** A function that reads its argument `factor` times; the result is at most as large if `keepsSize`. */
const reads = (factor = 1, keepsSize = false): Counted => ({
  estimate(target, args, sizes) {
    const size = sizes.sizeOf(target ?? args[0]!)
    return { cost: estimateTraversal(size, factor), ...(keepsSize ? { resultSize: size } : {}) }
  },
  cost: args => traversal(factor * sizeOfValue(args[0])),
})

/** Functions that read all items of a list, or a string. */
const overItems: Counted = {
  estimate(target, _, sizes) {
    if (!target) return undefined
    const items = sizes.itemsOf(target)
    if (!items) return { cost: estimateTraversal(sizes.sizeOf(target)) }
    const isText = items.type.kind === 'string' || items.type.kind === 'bytes'
    const perItem = isText ? add(exactly(1), estimateTraversal(sizes.sizeOf(items))) : exactly(1)
    return { cost: multiply(sizes.sizeOf(target), perItem) }
  },
  cost: ([list], _, work) => traversalCost(list, work),
}
/** Shared parts count every time they occur. */
function traversalCost(value: unknown, work: Work): number {
  work.steps(1)
  if (typeof value === 'string' || value instanceof Uint8Array) return Math.floor(value.length * traversalFactor)
  let cost = 0
  if (value instanceof CelList) for (const item of value) cost += traversalCost(item, work)
  else if (value instanceof CelMap)
    for (const key of value.keys()) cost += traversalCost(key, work) + traversalCost(value.get(key), work)
  else return 1
  return cost
}

const matches: Counted = {
  estimate(target, [pattern], sizes) {
    if (!target || !pattern) return undefined
    const text = sizes.sizeOf(target)
    const cost = multiply(scale(add(text, exactly(1)), traversalFactor), scale(sizes.sizeOf(pattern), patternFactor))
    return { cost, resultSize: { min: 0, max: text.max } }
  },
  cost: ([text, pattern]) => matching(sizeOfValue(text), sizeOfValue(pattern)),
}

const replaces: Counted = {
  estimate(target, [old, by], sizes) {
    if (!target || !old || !by) return undefined
    const [text, replaced, replacement] = [sizes.sizeOf(target), sizes.sizeOf(old), sizes.sizeOf(by)]
    return {
      cost: estimateTraversal(text, 2),
      resultSize: {
        min: replacedSize(text.min, replaced.max, replacement.min, replaced.max <= replacement.min),
        max: replacedSize(text.max, replaced.min, replacement.max, replacement.max <= replaced.min),
      },
    }
  },
  cost: ([text]) => traversal(2 * sizeOfValue(text)),
}
/** The size after replacing; `isKept` if replacements do not change it in the direction that is asked for. */
function replacedSize(text: number, replaced: number, replacement: number, isKept: boolean): number {
  // Replacing the empty string surrounds every character.
  if (replaced === 0) return Math.min(unbounded, text + (text + 1) * replacement)
  return isKept ? text : Math.min(unbounded, Math.ceil(text / replaced) * replacement)
}

const splits: Counted = {
  estimate(target, [, limit], sizes) {
    if (!target) return undefined
    const size = sizes.sizeOf(target)
    const literal = limit?.expr?.kind === 'literal' ? limit.expr.value : undefined
    // A negative limit means no limit.
    const most = typeof literal === 'bigint' ? (literal < 0n ? unbounded : Number(literal)) : size.max
    return { cost: estimateTraversal(size, 2), resultSize: { min: 0, max: most } }
  },
  cost: ([text]) => traversal(2 * sizeOfValue(text)),
}

const joins: Counted = {
  estimate(target, [separator], sizes) {
    if (!target) return undefined
    const count = sizes.sizeOf(target)
    const items = sizes.itemsOf(target)
    let size = items ? multiply(count, sizes.sizeOf(items)) : exactly(0)
    if (separator) {
      const separators = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) }
      size = add(size, multiply(sizes.sizeOf(separator), separators))
    }
    return { cost: estimateTraversal(size), resultSize: size }
  },
  cost: () => 0,
}

/** The bytes of an address. */
const addressSize: Range = { min: 4, max: 16 }
const contains = (stringOverload: string, isRange: boolean): Counted => ({
  estimate(_, [other], sizes, overload) {
    let cost = estimateTraversal(add(addressSize, addressSize))
    if (isRange) cost = add(cost, estimateTraversal(addressSize), exactly(1))
    return { cost: overload === stringOverload ? add(cost, estimateTraversal(sizes.sizeOf(other))) : cost }
  },
  cost([, other], overload) {
    const base = traversal(2 * addressSize.max) + (isRange ? traversal(addressSize.max) + 1 : 0)
    return base + (overload === stringOverload ? traversal(sizeOfValue(other)) : 0)
  },
})

/** A selector is parsed into requirements, at most one per two characters. */
const selector = (size: Range): Range =>
  add(exactly(listCost), estimateTraversal(size), scale(scale(size, 0.5), listCost + structCost))
const selects: Counted = {
  estimate: (_, [text], sizes) => (text ? { cost: selector(sizes.sizeOf(text)) } : undefined),
  cost: ([, text]) => selector(exactly(sizeOfValue(text))).max,
}

/** The length of the pattern of the longest format of names. */
const namePattern = 128
const validates: Counted = {
  estimate: (_, [text], sizes) =>
    text && { cost: scale(estimateTraversal(sizes.sizeOf(text)), namePattern * patternFactor) },
  // Formats charge by the length of their own pattern.
  cost: () => 0,
}

const maxFormatSize = 64
/** Values of most Kubernetes types are compared in one step. */
function estimateEquality([left, right]: readonly EstimatedNode[]): CallEstimate | undefined {
  if (!left || !right || !isExactType(left.type, right.type)) return undefined
  const { kind, name } = left.type
  if (kind === 'opaque' && (name === 'net.IP' || name === 'net.CIDR')) return { cost: exactly(1) }
  if (kind !== 'struct' || !name.startsWith('kubernetes.')) return undefined
  if (name === 'kubernetes.NamedFormat') return { cost: scale({ min: 1, max: maxFormatSize }, traversalFactor) }
  if (name !== 'kubernetes.URL') return { cost: exactly(1) }
  return { cost: scale({ min: 1, max: right.computedSize?.max ?? 1 }, traversalFactor) }
}

const named = (names: string, counted: Counted) => names.split(' ').map(name => [name, counted] as const)
const counted: ReadonlyMap<string, Counted> = new Map([
  ['check', constant(costOfCheck)],
  ...named('serviceAccount path group resource subresource namespace name allowed reason error errored', one),
  ...named('fieldSelector labelSelector', selects),
  ...named('isSorted sum max min indexOf lastIndexOf', overItems),
  ...named('url jsonpatch.escapeKey lowerAscii upperAscii substring trim', reads(1, true)),
  ['replace', replaces],
  ['split', splits],
  ['join', joins],
  ...named('find findAll', matches),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver image isImage', reads()),
  ['ip.isCanonical', reads(2)],
  ...named('masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast', one),
  ['isGlobalUnicast', one],
  ['containsIP', contains('cidr_contains_ip_string', false)],
  ['containsCIDR', contains('cidr_contains_cidr_string', true)],
  ['validate', validates],
  ['format.named', one],
  ...named('sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub', one),
  ...named('major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery', one),
])

/** The costs of the functions that Kubernetes adds. `libs/cel` has those of the language itself. */
export const costModel: CostModel = {
  estimate(name, overload, target, args, sizes) {
    if (name === '_==_') return estimateEquality(args)
    if (name === 'ip') return (overload === 'cidr_ip' ? one : reads()).estimate(target, args, sizes, overload)
    return counted.get(name)?.estimate(target, args, sizes, overload)
  },
  costOf(name, overload) {
    if (name === 'ip') return (args, work) => (overload === 'cidr_ip' ? one : reads()).cost(args, overload, work)
    if (name === '_==_')
      return args =>
        args[0] instanceof OpaqueValue ? 1 : traversal(Math.min(sizeOfValue(args[0]), sizeOfValue(args[1])))
    const found = counted.get(name)
    return found && ((args, work) => found.cost(args, overload, work))
  },
}
