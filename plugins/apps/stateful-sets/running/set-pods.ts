import type { ApiObject, Vendor } from 'orch/sdk'
import { podOfTemplate } from 'orch/sdk/controllers'
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from 'orch/sdk/core'
import { revisionLabels } from '../../controller-revisions/history.js'
import { indexedSetPods } from '../../differences.js'
import type { StatefulSet } from '../schema.js'

export type StoredSet = ApiObject & StatefulSet
export type StoredPod = ApiObject & Pod
export type StoredClaim = ApiObject & PersistentVolumeClaim

/** The ordinal of a Pod of the set, from its name; undefined for any other Pod. */
export function ordinalOf({ metadata }: ApiObject, set: StoredSet): number | undefined {
  const prefix = `${set.metadata.name}-`
  const rest = metadata.name?.startsWith(prefix) ? metadata.name.slice(prefix.length) : ''
  return /^(0|[1-9]\d*)$/.test(rest) ? Number(rest) : undefined
}

/** The ordinal of the first Pod. */
export const firstOrdinal = ({ spec }: StoredSet): number => spec?.ordinals?.start ?? 0

/** Whether the set should have a Pod with this ordinal. */
export function isWanted(ordinal: number, set: StoredSet): boolean {
  const first = firstOrdinal(set)
  return ordinal >= first && ordinal < first + (set.spec?.replicas ?? 1)
}

/** The label with the name of a Pod, by which a Service can select it. */
export const podNameLabel = (vendor: Vendor): string => vendor.qualify('pod-name', 'statefulset')

/** The revision of a Pod. */
export const revisionNameOf = ({ metadata }: StoredPod, vendor: Vendor): string =>
  metadata.labels?.[revisionLabels(vendor).ofPod] ?? ''

/** The name of the claim of an ordinal for a claim template. */
const claimName = (set: StoredSet, template: string, ordinal: number) => `${template}-${set.metadata.name}-${ordinal}`

/** The Pod of an ordinal: its name, host name and claims are stable. */
export function podOfOrdinal(
  set: StoredSet,
  ordinal: number,
  revision: { name: string; template: PodTemplateSpec },
  vendor: Vendor,
): StoredPod {
  const name = `${set.metadata.name}-${ordinal}`
  const pod = podOfTemplate(set, revision.template, name)
  const templates = (set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '')
  const claims: Volume[] = templates.map(template => ({
    name: template,
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }))
  const names = new Set(templates)
  const others = (pod.spec.volumes ?? []).filter(volume => !names.has(volume.name))
  const volumes = [...claims, ...others]
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        [podNameLabel(vendor)]: name,
        ...(vendor.level.has(indexedSetPods) ? { [vendor.qualify('pod-index', 'apps')]: String(ordinal) } : {}),
        [revisionLabels(vendor).ofPod]: revision.name,
      },
    },
    spec: {
      ...pod.spec,
      hostname: name,
      ...(set.spec?.serviceName ? { subdomain: set.spec.serviceName } : {}),
      ...(volumes.length > 0 ? { volumes } : {}),
    },
  }
}

/** The claims of an ordinal. */
export const claimsOfOrdinal = (set: StoredSet, ordinal: number): StoredClaim[] =>
  (set.spec?.volumeClaimTemplates ?? []).map(template => {
    const { name = '', labels, annotations } = template.metadata ?? {}
    return {
      metadata: {
        name: claimName(set, name, ordinal),
        namespace: set.metadata.namespace ?? '',
        labels: { ...labels, ...set.spec?.selector?.matchLabels },
        ...(annotations ? { annotations } : {}),
      },
      ...(template.spec ? { spec: template.spec } : {}),
    }
  })
