import type { ApiObject } from 'orch/sdk'
import { type LoopCaches, podCollection } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'

export type StoredPod = ApiObject & Pod

const index = 'pods by node'

/** The Pods on a node, from an index, since there may be very many on other nodes. The loop must have Pods as a source. */
export function podsOn(node: string, caches: LoopCaches): readonly StoredPod[] {
  const cache = caches.of<StoredPod>(podCollection)
  cache.addIndex(index, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []))
  return cache.indexed(index, node)
}
