import type { ApiObject, Clock, Logger, Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { isPodFinished, keyOf, splitKey, startControlLoop, withoutConflicts } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import { setPodCondition } from '../pod-condition.js'

type StoredPod = ApiObject & Pod
const pods = { group: '', version: 'v1', resource: 'pods' }
/** A Pod that is not being deleted this long after it was marked is assumed to remain. */
const staleAfterMs = 120_000

/** Resets the condition DisruptionTarget of Pods that were not deleted after all. */
export const startMarkLoop = (
  runtime: { readonly client: Client; readonly clock: Clock; readonly logger: Logger },
  { profile: { nodeAgent } }: Vendor,
): Promise<() => Promise<void>> => {
  const agentReason = `TerminationBy${nodeAgent.charAt(0).toUpperCase()}${nodeAgent.slice(1)}`
  return startControlLoop({
    ...runtime,
    name: 'disruption-marks',
    sources: [
      {
        resource: pods,
        keys: (pod: StoredPod) => (staleMs(pod, agentReason, runtime.clock.now()) === undefined ? [] : [keyOf(pod)]),
      },
    ],
    reconcile: withoutConflicts(async (key, caches) => {
      const { namespace, name } = splitKey(key)
      const pod = caches.of<StoredPod>(pods).get(namespace, name)
      const waitMs = pod && staleMs(pod, agentReason, runtime.clock.now())
      if (!pod || waitMs === undefined) return
      if (waitMs > 0) return { requeueAfterMs: waitMs }
      const changed = structuredClone(pod)
      const generation =
        markOf(pod)?.observedGeneration === undefined ? {} : { observedGeneration: pod.metadata.generation }
      setPodCondition(changed, { type: mark, status: 'False', ...generation, now: runtime.clock.now() })
      await runtime.client.resource<StoredPod>(pods).updateSubresource('status', changed)
    }),
  })
}

const mark = 'DisruptionTarget'
const markOf = ({ status }: Pod) => (status?.conditions ?? []).find(({ type }) => type === mark)

/** In how many ms the condition becomes stale; undefined if it cannot. */
function staleMs(pod: StoredPod, agentReason: string, now: number): number | undefined {
  const condition = markOf(pod)
  const isOver = pod.metadata.deletionTimestamp !== undefined || isPodFinished(pod)
  // The node agent terminates the Pod itself, without deleting it.
  const isByAgent = condition?.reason === agentReason
  if (isOver || isByAgent || condition?.status !== 'True') return undefined
  return Math.max(0, (Date.parse(condition.lastTransitionTime ?? '') || 0) + staleAfterMs - now)
}
