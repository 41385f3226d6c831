import { parseQuantity, quantityValue } from 'orch/sdk/validation'
import type { Endpoint } from '../endpoint-slices/schema.js'
import type { EndpointGroup } from './plan-slices.js'

/** The part of a Node that matters for zones. */
export interface ZoneNode {
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> }
  readonly status?: {
    readonly allocatable?: Readonly<Record<string, string>>
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

/** The maximum overload of the endpoints of a zone, compared to an even distribution. */
const overload = 0.2

const cpuOf = ({ status }: ZoneNode): number =>
  Number(quantityValue(parseQuantity(status?.allocatable?.['cpu'] ?? '0'), -3))
const isNodeReady = ({ status }: ZoneNode): boolean =>
  status?.conditions?.some(({ type, status: said }) => type === 'Ready' && said === 'True') ?? false

/** Whether an input of the shares has changed; heartbeats do not matter. */
export const changesShares = (node: ZoneNode, previous: ZoneNode | undefined, zoneKey: string): boolean =>
  previous === undefined ||
  isNodeReady(node) !== isNodeReady(previous) ||
  cpuOf(node) !== cpuOf(previous) ||
  node.metadata?.labels?.[zoneKey] !== previous.metadata?.labels?.[zoneKey]

/** The share of each zone in the CPUs of all worker nodes; undefined if the zone of a node is unknown, or there is only one zone. */
export function zoneShares(
  nodes: readonly ZoneNode[],
  { zoneKey, excluded }: { readonly zoneKey: string; readonly excluded: readonly string[] },
): ReadonlyMap<string, number> | undefined {
  const processors = new Map<string, number>()
  for (const node of nodes) {
    const labels = node.metadata?.labels ?? {}
    if (excluded.some(name => name in labels) || !isNodeReady(node)) continue
    const zone = labels[zoneKey] ?? ''
    if (zone === '' || cpuOf(node) === 0) return undefined
    processors.set(zone, (processors.get(zone) ?? 0) + cpuOf(node))
  }
  if (processors.size < 2) return undefined
  const total = [...processors.values()].reduce((sum, amount) => sum + amount, 0)
  return new Map([...processors].sort().map(([zone, amount]) => [zone, amount / total]))
}

/**
 * Adds hints so that zones get endpoints according to their share: mostly their own, and some of others if
 * they have too few. No hints if a zone would be overloaded, or the zone of an endpoint is unknown.
 */
export function withZoneHints(
  groups: readonly EndpointGroup[],
  shares: ReadonlyMap<string, number> | undefined,
): EndpointGroup[] {
  const families = new Set(groups.map(({ addressType }) => addressType))
  return [...families].flatMap(family => {
    const own = groups.filter(({ addressType }) => addressType === family)
    const ready = own.flatMap(({ endpoints }) => endpoints).filter(({ conditions }) => conditions?.ready)
    const zones = shares && zonesOf(ready, shares)
    if (!zones) return own
    const hinted = (endpoint: Endpoint): Endpoint => {
      const zone = zones.get(endpoint)
      return zone === undefined ? endpoint : { ...endpoint, hints: { forZones: [{ name: zone }] } }
    }
    return own.map(group => ({ ...group, endpoints: group.endpoints.map(hinted) }))
  })
}

function zonesOf(ready: readonly Endpoint[], shares: ReadonlyMap<string, number>): Map<Endpoint, string> | undefined {
  const wanted = wantedByZone(ready.length, shares)
  if (!wanted || ready.some(({ zone }) => !zone)) return undefined
  const zones = new Map(ready.map(endpoint => [endpoint, endpoint.zone ?? '']))
  const { giving, receiving } = moves(wanted, ready)
  for (const endpoint of ready) {
    const [to] = receiving
    if (to === undefined) break
    const left = giving.get(endpoint.zone ?? '') ?? 0
    if (left === 0) continue
    giving.set(endpoint.zone ?? '', left - 1)
    zones.set(endpoint, to)
    receiving.shift()
  }
  return zones
}

/** How many endpoints each zone should have; undefined if one would have too few. */
function wantedByZone(count: number, shares: ReadonlyMap<string, number>): Map<string, number> | undefined {
  if (shares.size > count) return undefined
  const least = (share: number) => Math.ceil((share * count) / (1 + overload))
  const total = [...shares.values()].reduce((sum, share) => sum + least(share), 0)
  if (total > count) return undefined
  return new Map([...shares].map(([zone, share]) => [zone, Math.max(share * count, least(share))]))
}

/** How many endpoints zones donate and receive, in turn: those with the largest surplus or deficit first. */
function moves(wanted: ReadonlyMap<string, number>, ready: readonly Endpoint[]) {
  const surplus = new Map<string, number>()
  for (const [zone, number] of wanted) surplus.set(zone, ready.filter(one => one.zone === zone).length - number)
  const giving = new Map<string, number>()
  const receiving: string[] = []
  for (;;) {
    const ordered = [...surplus].sort(([, one], [, other]) => other - one)
    const [from, extra] = ordered[0] ?? ['', 0]
    const [to, lack] = ordered.at(-1) ?? ['', 0]
    // Half an endpoint is not worth a move, unless another zone has or lacks a whole one.
    if ((extra < 1 && -lack < 1) || extra < 0.5 || -lack < 0.5) return { giving, receiving }
    giving.set(from, (giving.get(from) ?? 0) + 1)
    receiving.push(to)
    surplus.set(from, extra - 1)
    surplus.set(to, lack + 1)
  }
}
