import { addQuantities, compareQuantities, parseQuantity, type QuantityAmount } from '../validation/quantity.js'
import type { PodSpec } from './pod-spec.js'
import type { ResourceRequirements } from './resource-requirements.js'

const decisive = ['cpu', 'memory'] as const
const zero = parseQuantity('0')
type Totals = Map<string, QuantityAmount>

function add(totals: Totals, list: Readonly<Record<string, string>> = {}): void {
  for (const name of decisive) {
    const amount = parseQuantity(list[name] ?? '0')
    if (compareQuantities(amount, zero) > 0) totals.set(name, addQuantities(totals.get(name) ?? zero, amount))
  }
}

/**
 * The QoS class of a Pod: `Guaranteed` if every container limits cpu and memory and requests equal amounts,
 * `BestEffort` if none requests or limits either, otherwise `Burstable`.
 */
export function qualityOfService(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  if (hasOwnResources(spec)) return classOf([spec.resources ?? {}])
  return classOf([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => resources ?? {}))
}

/** Whether the Pod itself has requests or limits: then its containers are not considered. */
const hasOwnResources = ({ resources }: PodSpec): boolean =>
  Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0

function classOf(all: readonly ResourceRequirements[]): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const requests: Totals = new Map()
  const limits: Totals = new Map()
  let areAllLimited = true
  for (const resources of all) {
    add(requests, resources?.requests)
    add(limits, resources?.limits)
    const isLimited = decisive.every(
      name => compareQuantities(parseQuantity(resources?.limits?.[name] ?? '0'), zero) > 0,
    )
    areAllLimited &&= isLimited
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort'
  const areEqual =
    requests.size === limits.size &&
    [...requests].every(([name, amount]) => compareQuantities(amount, limits.get(name) ?? zero) === 0)
  return areAllLimited && areEqual ? 'Guaranteed' : 'Burstable'
}
