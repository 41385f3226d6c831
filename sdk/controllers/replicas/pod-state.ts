import type { Pod } from '../../core/pod.js'

const readyCondition = (pod: Pod) => (pod.status?.conditions ?? []).find(({ type }) => type === 'Ready')

/** Is its Ready condition true? */
export const isPodReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True'
/** All its containers have ended for good: its phase is Succeeded or Failed. */
export const isPodFinished = ({
  status,
}: {
  readonly status?: { readonly phase?: string | undefined } | undefined
}): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed'
/** It has neither finished nor been deleted. */
export const isPodActive = (pod: Pod): boolean => !pod.metadata?.deletionTimestamp && !isPodFinished(pod)
/** It was deleted and has not finished yet. */
export const isPodTerminating = (pod: Pod): boolean =>
  pod.metadata?.deletionTimestamp !== undefined && !isPodFinished(pod)
/** When it became ready, in ms since the epoch; undefined if it is not. */
export const podReadySince = (pod: Pod): number | undefined => {
  const ready = readyCondition(pod)
  return ready?.status === 'True' && ready.lastTransitionTime ? Date.parse(ready.lastTransitionTime) : undefined
}
/** How long until it has been ready for `minReadySeconds`: 0 if it has, undefined if it is not ready. */
export function msUntilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isPodReady(pod)) return undefined
  if (minReadySeconds === 0) return 0
  const since = podReadySince(pod)
  return since === undefined ? minReadySeconds * 1000 : Math.max(0, since + minReadySeconds * 1000 - now)
}
