import type { PodSpec } from 'orch/sdk/core'
import { compareQuantities, formatQuantity, parseQuantity, type QuantityAmount } from 'orch/sdk/validation'
import { type Amounts, maxAmounts, noAmounts, parseAmounts, pickAmounts, sumAmounts } from '../amounts/amounts.js'
import { containersOf, podResources } from '../amounts/pod-resources.js'
import type { LimitRangeItem } from '../limit-ranges/schema.js'

/** Requests and limits of a container, Pod or claim. */
interface Measured {
  readonly requests: Amounts
  readonly limits: Amounts
}
/** Returns a message if the rule is violated. */
type Rule = (name: string, bound: QuantityAmount, measured: Measured) => string | undefined

/** Which resources are summed over the containers of a Pod; depends on the version. */
export type PodSums = 'set by every container' | 'set by any container'

/** Messages for all violations of the limit ranges by a Pod. */
export function checkPod(spec: PodSpec, items: readonly LimitRangeItem[], sums: PodSums): string[] {
  const sumOf = (which: 'requests' | 'limits') =>
    sums === 'set by any container' ? podResources(withoutOwn(spec), which) : totalOf(spec, which)
  const amountsOf = (which: 'requests' | 'limits'): Amounts => new Map([...sumOf(which), ...ownAmounts(spec, which)])
  const pod = { requests: amountsOf('requests'), limits: amountsOf('limits') }
  const containers = containersOf(spec).map(({ resources }) => ({
    requests: parseAmounts(resources?.requests),
    limits: parseAmounts(resources?.limits),
  }))
  return items.flatMap(item => {
    const measured = item.type === 'Container' ? containers : item.type === 'Pod' ? [pod] : []
    return measured.flatMap(one => [
      ...violations(atLeast, item.type, item.min, one),
      ...violations(atMost, item.type, item.max, one),
      ...violations(withinRatio, item.type, item.maxLimitRequestRatio, one),
    ])
  })
}

/** The Pod-level amounts that limit ranges check: not those of huge pages, which are summed over the containers. */
const ownAmounts = ({ resources }: PodSpec, which: 'requests' | 'limits'): Amounts =>
  pickAmounts(parseAmounts(resources?.[which]), name => name === 'cpu' || name === 'memory')

const withoutOwn = ({ resources: _, ...spec }: PodSpec): PodSpec => spec

/**
 * The total requests or limits of a Pod. A container without an amount for a resource may use any amount of it, so the
 * Pod has no total either, unless an init container has an amount.
 */
function totalOf(spec: PodSpec, which: 'requests' | 'limits'): Amounts {
  const amountsOf = (containers: PodSpec['containers'] | undefined) =>
    (containers ?? []).map(({ resources }) => parseAmounts(resources?.[which]))
  const together = amountsOf(spec.containers)
  const known = pickAmounts(sumAmounts(together), name => together.every(amounts => amounts.has(name)))
  return maxAmounts([known, ...amountsOf(spec.initContainers)])
}

/** The same for a claim, which has only requests. */
export function checkClaim(requests: Readonly<Record<string, string>>, items: readonly LimitRangeItem[]): string[] {
  const measured = { requests: parseAmounts(requests), limits: noAmounts }
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(item => [
      ...violations(atLeast, item.type, item.min, measured),
      ...violations(requestAtMost, item.type, item.max, measured),
    ])
}

function violations(
  rule: Rule,
  type: string,
  bounds: Readonly<Record<string, string>> = {},
  measured: Measured,
): string[] {
  return Object.entries(bounds).flatMap(([name, bound]) => {
    const why = rule(name, parseQuantity(bound), measured)
    return why === undefined ? [] : [why.replace('{type}', type)]
  })
}

const atLeast: Rule = (name, bound, { requests, limits }) => {
  const rule = `minimum ${name} usage per {type} is ${formatQuantity(bound)}`
  const request = requests.get(name)
  if (!request) return `${rule}. No request is specified`
  if (compareQuantities(request, bound) < 0) return `${rule}, but request is ${formatQuantity(request)}`
  const limit = limits.get(name)
  return limit && compareQuantities(limit, bound) < 0 ? `${rule}, but limit is ${formatQuantity(limit)}` : undefined
}

const atMost: Rule = (name, bound, measured) => {
  const rule = `maximum ${name} usage per {type} is ${formatQuantity(bound)}`
  const limit = measured.limits.get(name)
  if (!limit) return `${rule}. No limit is specified`
  if (compareQuantities(limit, bound) > 0) return `${rule}, but limit is ${formatQuantity(limit)}`
  return measured.requests.has(name) ? requestAtMost(name, bound, measured) : undefined
}

const requestAtMost: Rule = (name, bound, { requests }) => {
  const rule = `maximum ${name} usage per {type} is ${formatQuantity(bound)}`
  const request = requests.get(name)
  if (!request) return `${rule}. No request is specified`
  return compareQuantities(request, bound) > 0 ? `${rule}, but request is ${formatQuantity(request)}` : undefined
}

const withinRatio: Rule = (name, bound, { requests, limits }) => {
  const rule = `${name} max limit to request ratio per {type} is ${formatQuantity(bound)}`
  const request = requests.get(name)
  if (!request || request.unscaled === 0n) return `${rule}, but no request is specified or request is 0`
  const limit = limits.get(name)
  if (!limit || limit.unscaled === 0n) return `${rule}, but no limit is specified or limit is 0`
  // limit / request > bound, without dividing.
  const most: QuantityAmount = {
    unscaled: request.unscaled * bound.unscaled,
    scale: request.scale + bound.scale,
    format: 'decimal',
  }
  return compareQuantities(limit, most) > 0
    ? `${rule}, but provided ratio is ${ratioOf(limit, request).toFixed(6)}`
    : undefined
}

const ratioOf = (limit: QuantityAmount, request: QuantityAmount) =>
  (Number(limit.unscaled) / Number(request.unscaled)) * 10 ** (limit.scale - request.scale)
