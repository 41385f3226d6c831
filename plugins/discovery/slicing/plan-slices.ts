import { isDeepStrictEqual } from 'node:util'
import type { Endpoint, EndpointPort, EndpointSlice } from '../endpoint-slices/schema.js'

/** Endpoints of one family that have the same ports. */
export interface EndpointGroup {
  readonly addressType: 'IPv4' | 'IPv6'
  readonly ports: readonly EndpointPort[]
  readonly endpoints: readonly Endpoint[]
}
export interface SlicePlan {
  readonly create: EndpointSlice[]
  readonly update: EndpointSlice[]
  readonly remove: EndpointSlice[]
}

const keyOf = ({ addresses, targetRef }: Endpoint) => targetRef?.uid || addresses.join()

/**
 * The changes after which slices contain exactly these endpoints. An endpoint stays in its slice; new ones are added where
 * there is room, so that few slices change.
 */
export function planSlices(
  groups: readonly EndpointGroup[],
  stored: readonly EndpointSlice[],
  maxEndpoints: number,
): SlicePlan {
  const plan: SlicePlan = { create: [], update: [], remove: [] }
  const unused = new Set(stored)
  for (const group of groups) {
    const own = stored.filter(slice => unused.has(slice) && isOf(slice, group))
    for (const slice of own) unused.delete(slice)
    fill(group, own, maxEndpoints, plan)
  }
  for (const slice of unused) plan.remove.push(slice)
  return reuseRemoved(plan)
}

/** Reuses a slice that would be removed for one that would be created: readers never see both, nor neither. */
function reuseRemoved({ create, update, remove }: SlicePlan): SlicePlan {
  const left = [...remove]
  const made: EndpointSlice[] = []
  const reused: EndpointSlice[] = []
  for (const slice of create) {
    const at = left.findIndex(({ addressType }) => addressType === slice.addressType)
    const [old] = at < 0 ? [] : left.splice(at, 1)
    if (!old) made.push(slice)
    else {
      const { ports: _, endpoints: __, ...kept } = old
      reused.push({ ...kept, ...slice } as EndpointSlice)
    }
  }
  return { create: made, update: [...update, ...reused], remove: left }
}

const isOf = ({ addressType, ports }: EndpointSlice, group: EndpointGroup) =>
  addressType === group.addressType && isDeepStrictEqual(ports ?? [], group.ports)

function fill(group: EndpointGroup, slices: readonly EndpointSlice[], maxEndpoints: number, plan: SlicePlan): void {
  const wanted = new Map(group.endpoints.map(endpoint => [keyOf(endpoint), endpoint]))
  const contents = slices.map(slice =>
    (slice.endpoints ?? []).flatMap(({ ...endpoint }) => {
      const next = wanted.get(keyOf(endpoint))
      wanted.delete(keyOf(endpoint))
      return next ?? []
    }),
  )
  for (const content of contents)
    for (const [key, endpoint] of wanted) {
      if (content.length >= maxEndpoints) break
      content.push(endpoint)
      wanted.delete(key)
    }
  slices.forEach((slice, index) => {
    const endpoints = contents[index] ?? []
    // One empty slice is kept: it shows that the Service has no endpoints.
    const isLast = group.endpoints.length === 0 && index === 0
    if (endpoints.length === 0 && !isLast) plan.remove.push(slice)
    else if (!isDeepStrictEqual(endpoints, slice.endpoints ?? [])) plan.update.push(withEndpoints(slice, endpoints))
  })
  const rest = [...wanted.values()]
  const isEmpty = group.endpoints.length === 0 && slices.length === 0
  for (let start = 0; start < rest.length || (isEmpty && start === 0); start += maxEndpoints) {
    const { addressType, ports } = group
    const slice = { addressType, ...(ports.length > 0 ? { ports: [...ports] } : {}) } as EndpointSlice
    plan.create.push(withEndpoints(slice, rest.slice(start, start + maxEndpoints)))
  }
}

/** An empty list is omitted. */
function withEndpoints({ endpoints: _, ...slice }: EndpointSlice, endpoints: Endpoint[]): EndpointSlice {
  return (endpoints.length === 0 ? slice : { ...slice, endpoints }) as EndpointSlice
}
