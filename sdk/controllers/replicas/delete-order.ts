import type { Pod } from '../../core/pod.js'
import { podAnnotations } from '../../core/pod-spec/pod-annotations.js'
import type { ApiObject } from '../../meta.js'
import type { Vendor } from '../../vendor.js'
import { isPodReady, podReadySince } from './pod-state.js'

const phases = ['Pending', 'Unknown', 'Running']
const phaseOf = ({ status }: Pod) => Math.max(0, phases.indexOf(status?.phase ?? 'Pending'))
const restartsOf = ({ status }: Pod) =>
  (status?.containerStatuses ?? []).reduce((most, { restartCount = 0 }) => Math.max(most, restartCount), 0)

/**
 * Pods in the order in which they are to go when there are too many: first those that do the least. Not on a node, not
 * running, not ready; then cheap ones, those that share their node with others, and the youngest.
 */
export function inDeleteOrder<T extends Pod & ApiObject>(pods: readonly T[], vendor: Vendor): T[] {
  const costAnnotation = podAnnotations(vendor).deletionCost
  const costOf = ({ metadata }: T) => Number(metadata.annotations?.[costAnnotation] ?? 0) || 0
  const perNode = new Map<string, number>()
  for (const { spec } of pods) if (spec.nodeName) perNode.set(spec.nodeName, (perNode.get(spec.nodeName) ?? 0) + 1)
  const neighbours = ({ spec }: T) => perNode.get(spec.nodeName ?? '') ?? 0
  const bornAt = ({ metadata }: T) => Date.parse(metadata.creationTimestamp ?? '') || 0
  const ranks: readonly ((pod: T) => number)[] = [
    ({ spec }) => (spec.nodeName ? 1 : 0),
    phaseOf,
    pod => (isPodReady(pod) ? 1 : 0),
    costOf,
    pod => -neighbours(pod),
    pod => -(podReadySince(pod) ?? 0),
    pod => -restartsOf(pod),
    pod => -bornAt(pod),
  ]
  const ranked = pods.map(pod => ({ pod, keys: ranks.map(rank => rank(pod)) }))
  ranked.sort((a, b) => {
    for (const [i, key] of a.keys.entries()) if (key !== b.keys[i]) return key - (b.keys[i] ?? 0)
    return 0
  })
  return ranked.map(({ pod }) => pod)
}
