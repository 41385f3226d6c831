import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type QuantityAmount,
} from '../validation/quantity.js'
import type { Container } from './container.js'
import type { PodSpec } from './pod-spec.js'
import type { ResourceRequirements } from './resource-requirements.js'

type Totals = Map<string, QuantityAmount>

function add(totals: Totals, list: Readonly<Record<string, string>> = {}): Totals {
  for (const [name, amount] of Object.entries(list)) {
    const before = totals.get(name)
    const parsed = parseQuantity(amount)
    totals.set(name, before ? addQuantities(before, parsed) : parsed)
  }
  return totals
}

function raise(totals: Totals, others: Totals): void {
  for (const [name, amount] of others) {
    const before = totals.get(name)
    if (!before || compareQuantities(amount, before) > 0) totals.set(name, amount)
  }
}

/** A resource that a whole Pod can request. */
export const isPodLevelResource = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')

/**
 * What the containers of a Pod need together: sidecars run beside the others, and init containers one after the other beside
 * the sidecars that came before them.
 */
export function containerTotals(
  { containers, initContainers }: PodSpec,
  kind: 'requests' | 'limits',
): Record<string, string> {
  const listOf = ({ resources }: Container) => resources?.[kind]
  const totals: Totals = new Map()
  for (const container of containers ?? []) add(totals, listOf(container))
  const sidecars: Totals = new Map()
  const peak: Totals = new Map()
  for (const container of initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      add(totals, listOf(container))
      raise(peak, add(sidecars, listOf(container)))
    } else raise(peak, add(new Map(sidecars), listOf(container)))
  }
  raise(totals, peak)
  return Object.fromEntries([...totals].map(([name, amount]) => [name, formatQuantity(amount)]))
}

/** The requests or limits of a Pod: its own, or else those of its containers together. */
export function podTotals(spec: PodSpec, kind: 'requests' | 'limits'): Record<string, string> {
  const own = Object.entries(spec.resources?.[kind] ?? {}).filter(([name]) => isPodLevelResource(name))
  return { ...containerTotals(spec, kind), ...Object.fromEntries(own) }
}

/** What a Pod takes of its node: its requests and its overhead. */
export function podRequests(spec: PodSpec): Record<string, string> {
  const totals: Totals = new Map()
  add(totals, podTotals(spec, 'requests'))
  add(totals, spec.overhead)
  return Object.fromEntries([...totals].map(([name, amount]) => [name, formatQuantity(amount)]))
}

/** Whether both have the same amounts, however they are written. */
export function isSameResources(one: ResourceRequirements = {}, other: ResourceRequirements = {}): boolean {
  const isSame = (left: Readonly<Record<string, string>> = {}, right: Readonly<Record<string, string>> = {}) => {
    const names = Object.keys(left)
    const amountOf = (list: Readonly<Record<string, string>>, name: string) => parseQuantity(list[name] ?? '0')
    return (
      names.length === Object.keys(right).length &&
      names.every(name => name in right && compareQuantities(amountOf(left, name), amountOf(right, name)) === 0)
    )
  }
  return isSame(one.requests, other.requests) && isSame(one.limits, other.limits)
}

/** Sets missing requests of a Pod that has its own resources: they are those of its containers, or its limits. */
export function defaultPodResources(spec: PodSpec): void {
  const { resources } = spec
  if (!resources) return
  const { limits = {}, requests = {} } = resources
  if (Object.keys(limits).length > 0 || Object.keys(requests).length > 0) {
    const pages = Object.entries(containerTotals(spec, 'limits')).filter(
      ([name]) => name.startsWith('hugepages-') && !(name in requests) && !(name in limits),
    )
    if (pages.length > 0) resources.limits = { ...limits, ...Object.fromEntries(pages) }
  }
  if (Object.keys(resources.limits ?? {}).length === 0) return
  const ofContainers = Object.entries(containerTotals(spec, 'requests')).filter(
    ([name]) => name === 'cpu' || name === 'memory',
  )
  const ofLimits = Object.entries(resources.limits ?? {}).filter(([name]) => isPodLevelResource(name))
  const filled = { ...Object.fromEntries(ofLimits), ...Object.fromEntries(ofContainers), ...requests }
  if (Object.keys(filled).length > 0) resources.requests = filled
}
