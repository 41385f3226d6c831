import type { ApiObject } from 'orch/sdk'
import { type LoopCaches, podCollection } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'

export type StoredPod = ApiObject & Pod

const index = 'pods by node'
/** Caches that have the index. */
const indexed = new WeakSet<object>()

/** The Pods on a node, for a loop that has Pods as a source: looked up, since there may be very many elsewhere. */
export function podsOn(node: string, caches: LoopCaches): readonly StoredPod[] {
  const cache = caches.of<StoredPod>(podCollection)
  if (!indexed.has(cache)) {
    indexed.add(cache)
    cache.addIndex(index, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []))
  }
  return cache.indexed(index, node)
}
