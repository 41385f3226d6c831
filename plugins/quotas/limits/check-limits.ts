import type { PodSpec } from 'orch/sdk/core'
import { compareQuantities, formatQuantity, parseQuantity, type QuantityAmount } from 'orch/sdk/validation'
import { type Amounts, maxAmounts, noAmounts, parseAmounts, pickAmounts, sumAmounts } from '../amounts/amounts.js'
import { containersOf, podResources } from '../amounts/pod-resources.js'
import type { LimitRangeItem } from '../limit-ranges/schema.js'

/** What is asked for and what is allowed at most, of one thing that a range limits. */
interface Measured {
  readonly requests: Amounts
  readonly limits: Amounts
}
/** A sentence for a rule that is broken, or nothing. */
type Rule = (name: string, bound: QuantityAmount, measured: Measured) => string | undefined

/** How a version adds up what the containers of a Pod name. */
export type PodSums = 'of what all name' | 'of what any names'

/** Sentences for everything in which a Pod breaks the ranges of its namespace. */
export function checkPod(spec: PodSpec, items: readonly LimitRangeItem[], sums: PodSums): string[] {
  const sumOf = (which: 'requests' | 'limits') =>
    sums === 'of what any names'
      ? podResources(spec, which)
      : new Map([...boundOf(spec, which), ...parseAmounts(spec.resources?.[which])])
  const pod = { requests: sumOf('requests'), limits: sumOf('limits') }
  const containers = containersOf(spec).map(({ resources }) => ({
    requests: parseAmounts(resources?.requests),
    limits: parseAmounts(resources?.limits),
  }))
  return items.flatMap(item => {
    const measured = item.type === 'Container' ? containers : item.type === 'Pod' ? [pod] : []
    return measured.flatMap(one => [
      ...broken(atLeast, item.type, item.min, one),
      ...broken(atMost, item.type, item.max, one),
      ...broken(withinRatio, item.type, item.maxLimitRequestRatio, one),
    ])
  })
}

/**
 * What a Pod asks for or is limited to in all. A container that says nothing about a resource may take any amount of it, so
 * that nothing is known about the Pod either, unless an initial container names an amount.
 */
function boundOf(spec: PodSpec, which: 'requests' | 'limits'): Amounts {
  const amountsOf = (containers: PodSpec['containers'] | undefined) =>
    (containers ?? []).map(({ resources }) => parseAmounts(resources?.[which]))
  const together = amountsOf(spec.containers)
  const known = pickAmounts(sumAmounts(together), name => together.every(amounts => amounts.has(name)))
  return maxAmounts([known, ...amountsOf(spec.initContainers)])
}

/** The same for a claim, of which only what it asks for counts. */
export function checkClaim(requests: Readonly<Record<string, string>>, items: readonly LimitRangeItem[]): string[] {
  const measured = { requests: parseAmounts(requests), limits: noAmounts }
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(item => [
      ...broken(atLeast, item.type, item.min, measured),
      ...broken(requestAtMost, item.type, item.max, measured),
    ])
}

function broken(rule: Rule, type: string, bounds: Readonly<Record<string, string>> = {}, measured: Measured): string[] {
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
