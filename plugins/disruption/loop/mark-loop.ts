import type { ApiObject, Clock, Logger } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { isPodFinished, keyOf, splitKey, startControlLoop, withoutConflicts } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import { setPodCondition } from '../pod-condition.js'

type StoredPod = ApiObject & Pod
const pods = { group: '', version: 'v1', resource: 'pods' }
/** So long after it was marked a Pod that is not being deleted will stay. */
const staleAfterMs = 120_000

/** Takes back the mark of Pods that were to be disrupted and were not. */
export const startMarkLoop = (runtime: {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
}): Promise<() => Promise<void>> =>
  startControlLoop({
    ...runtime,
    name: 'disruption-marks',
    sources: [
      {
        resource: pods,
        keys: (pod: StoredPod) => (staleMs(pod, runtime.clock.now()) === undefined ? [] : [keyOf(pod)]),
      },
    ],
    reconcile: withoutConflicts(async (key, caches) => {
      const { namespace, name } = splitKey(key)
      const pod = caches.of<StoredPod>(pods).get(namespace, name)
      const waitMs = pod && staleMs(pod, runtime.clock.now())
      if (!pod || waitMs === undefined) return
      if (waitMs > 0) return { requeueAfterMs: waitMs }
      const changed = structuredClone(pod)
      const generation =
        markOf(pod)?.observedGeneration === undefined ? {} : { observedGeneration: pod.metadata.generation }
      setPodCondition(changed, { type: mark, status: 'False', ...generation, now: runtime.clock.now() })
      await runtime.client.resource<StoredPod>(pods).updateSubresource('status', changed)
    }),
  })

const mark = 'DisruptionTarget'
const markOf = ({ status }: Pod) => (status?.conditions ?? []).find(({ type }) => type === mark)

/** In how many ms the mark of the Pod will be stale; undefined if it has none that can be. */
function staleMs(pod: StoredPod, now: number): number | undefined {
  const condition = markOf(pod)
  const isOver = pod.metadata.deletionTimestamp !== undefined || isPodFinished(pod)
  // The node agent ends a Pod in its own time.
  const isOfNode = condition?.reason === 'TerminationByKubelet'
  if (isOver || isOfNode || condition?.status !== 'True') return undefined
  return Math.max(0, (Date.parse(condition.lastTransitionTime ?? '') || 0) + staleAfterMs - now)
}
