import { roundResourceList } from 'orch/sdk/core'
import type { Node } from './schema.js'

/** Fills what depends on other fields. */
export function fillNode({ spec, status }: Node): void {
  if (spec) alignRanges(spec)
  if (!status) return
  // A node that says nothing else lets Pods have all it has.
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity }
  roundResourceList(status.capacity)
  roundResourceList(status.allocatable)
}

/** The first of `podCIDRs` is `podCIDR`, whichever of the two was written. */
function alignRanges(spec: { podCIDR?: string; podCIDRs?: string[] }): void {
  const { podCIDR, podCIDRs = [] } = spec
  if (podCIDR && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR]
  else if (!podCIDR && podCIDRs[0]) spec.podCIDR = podCIDRs[0]
}
