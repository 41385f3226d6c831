import type { Vendor } from 'orch/sdk'
import type { DisruptionOptions } from '../options.js'
import { readyOf, type WatchedNode } from './node-health.js'

type Limits = Pick<
  DisruptionOptions,
  'nodeEvictionRate' | 'secondaryNodeEvictionRate' | 'unhealthyZoneThreshold' | 'largeClusterSizeThreshold'
>

export const zoneOf = ({ metadata }: WatchedNode, vendor: Vendor): string =>
  ['region', 'zone'].map(name => metadata.labels?.[vendor.qualify(name, 'topology')] ?? '').join('/')

/** With fewer failed nodes than this, a zone never counts as mostly failed. */
const minFailedNodes = 3

/**
 * From how many nodes per second Pods may be evicted, by zone. If no node is healthy, the network of this server is
 * assumed to have failed: then no Pods are evicted, and undefined is returned.
 */
export function evictionRates(
  nodes: readonly WatchedNode[],
  vendor: Vendor,
  limits: Limits,
): ReadonlyMap<string, number> | undefined {
  const zones = new Map<string, { ready: number; failed: number }>()
  for (const node of nodes) {
    const zone = zones.get(zoneOf(node, vendor)) ?? { ready: 0, failed: 0 }
    if (readyOf(node)?.status === 'True') zone.ready++
    else zone.failed++
    zones.set(zoneOf(node, vendor), zone)
  }
  if (![...zones.values()].some(({ ready }) => ready > 0)) return undefined
  return new Map([...zones].map(([name, zone]) => [name, rateOf(zone, limits)]))
}

function rateOf({ ready, failed }: { ready: number; failed: number }, limits: Limits): number {
  const size = ready + failed
  const isMostlyFailed = ready > 0 && failed >= minFailedNodes && failed / size >= limits.unhealthyZoneThreshold
  if (!isMostlyFailed) return limits.nodeEvictionRate
  return size > limits.largeClusterSizeThreshold ? limits.secondaryNodeEvictionRate : 0
}

/** Limits the rate in each zone, without bursts. */
export class ZoneRateLimiter {
  readonly #lastAt = new Map<string, number>()

  tryAcquire(zone: string, perSecond: number, now: number): boolean {
    if (perSecond === 0 || now - (this.#lastAt.get(zone) ?? Number.NEGATIVE_INFINITY) < 1000 / perSecond) return false
    this.#lastAt.set(zone, now)
    return true
  }
}
