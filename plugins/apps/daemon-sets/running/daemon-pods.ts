import type { ApiObject, Vendor } from 'orch/sdk'
import { podOfTemplate } from 'orch/sdk/controllers'
import type { Pod, PodSpec, Toleration } from 'orch/sdk/core'
import { revisionLabels } from '../../controller-revisions/history.js'
import { type DaemonSet, templateGeneration } from '../schema.js'

export type StoredDaemonSet = ApiObject & DaemonSet
export type StoredPod = ApiObject & Pod

/** Daemons may be needed to make a node ready, so they tolerate the taints of its conditions. */
export function daemonTolerations(spec: PodSpec, vendor: Vendor): Toleration[] {
  const on = (name: string, effect: string) => ({ key: vendor.qualify(name, 'node'), operator: 'Exists', effect })
  return [
    on('not-ready', 'NoExecute'),
    on('unreachable', 'NoExecute'),
    on('disk-pressure', 'NoSchedule'),
    on('memory-pressure', 'NoSchedule'),
    on('pid-pressure', 'NoSchedule'),
    on('unschedulable', 'NoSchedule'),
    ...(spec.hostNetwork ? [on('network-unavailable', 'NoSchedule')] : []),
  ]
}

/** All tolerations of Pods of the template. */
export const tolerationsOf = (spec: PodSpec, vendor: Vendor): Toleration[] => {
  const own = spec.tolerations ?? []
  const isDeclared = (one: Toleration) =>
    own.some(({ key, operator, effect }) => key === one.key && operator === one.operator && effect === one.effect)
  return [...own, ...daemonTolerations(spec, vendor).filter(one => !isDeclared(one))]
}

const onNode = (name: string) => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] })

/** The Pod for a node. Its node affinity names the node; the scheduler binds it. */
export function podForNode(set: StoredDaemonSet, node: string, hash: string, vendor: Vendor): StoredPod {
  const pod = podOfTemplate(set, set.spec?.template ?? {})
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const terms = required?.nodeSelectorTerms ?? []
  const nodeSelectorTerms =
    terms.length === 0 ? [onNode(node)] : terms.map(term => ({ ...term, matchFields: onNode(node).matchFields }))
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        'pod-template-generation': set.metadata.annotations?.[templateGeneration] ?? '1',
        [revisionLabels(vendor).ofPod]: hash,
      },
    },
    spec: {
      ...pod.spec,
      affinity: {
        ...pod.spec.affinity,
        nodeAffinity: {
          ...pod.spec.affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
        },
      },
      tolerations: tolerationsOf(pod.spec, vendor),
    },
  }
}

/** The node that a Pod is bound to, or is to be bound to. */
export function nodeOf({ spec }: StoredPod): string | undefined {
  if (spec.nodeName) return spec.nodeName
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  for (const { matchFields = [] } of terms)
    for (const { key, operator, values = [] } of matchFields)
      if (key === 'metadata.name' && operator === 'In' && values.length === 1) return values[0]
  return undefined
}
