import { strategyForSpec, type Vendor } from 'orch/sdk'
import {
  dropFormerAnnotations,
  dropUnservedFields,
  type Pod,
  podAnnotations,
  podWarnings,
  qualityOfService,
  type SeccompProfile,
  seccompAnnotationOf,
  seccompProfileOf,
} from 'orch/sdk/core'
import { isDns1123Label } from 'orch/sdk/validation'
import { appArmorFields, podNameWarnings, seccompAnnotations, seccompFieldsBecomeAnnotations } from './differences.js'
import { copyAppArmor, markGated, mergeLabelKeys } from './new-pod.js'
import { validatePodUpdate } from './update-validation.js'
import { validateNewPod } from './validation.js'

/** Clients write metadata and spec; the status belongs to the node agent. */
export const mainStrategy = strategyForSpec<Pod>({
  newStatus: () => ({ phase: 'Pending' }),
  prepareForCreate(draft, { vendor, now, warn }) {
    dropUnservedFields(draft.spec, vendor)
    dropFormerAnnotations(draft, vendor)
    markGated(draft, now, vendor)
    mergeLabelKeys(draft, vendor)
    if (vendor.level.has(seccompAnnotations)) alignSeccomp(draft, vendor)
    if (vendor.level.has(appArmorFields)) copyAppArmor(draft, vendor, warn)
  },
  // After fields whose gate is off have been removed, since they must not count.
  finishCreate(draft) {
    draft.status = { ...draft.status, qosClass: qualityOfService(draft.spec) }
  },
  prepareForUpdate(draft, stored, { vendor }) {
    dropFormerAnnotations(draft, vendor)
    dropUnservedFields(draft.spec, vendor, stored.spec)
  },
  validate: (pod, { vendor }) => validateNewPod(pod, vendor),
  validateUpdate: (sent, stored, { vendor }) => validatePodUpdate(sent, stored, vendor),
  // Updates come mostly from components, which ignore warnings.
  warnings: (pod, stored, { vendor }) => (stored ? [] : [...nameWarnings(pod, vendor), ...podWarnings(pod, vendor)]),
})

function nameWarnings({ metadata }: Pod, { level }: Vendor): string[] {
  const problems = level.has(podNameWarnings) ? isDns1123Label(metadata?.name ?? '') : []
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
      ]
}

/**
 * Seccomp profiles were annotations before they were fields. Sets whichever is missing, for old and new node agents.
 */
function alignSeccomp(pod: Pod, vendor: Vendor): void {
  const names = podAnnotations(vendor)
  const bothWays = vendor.level.has(seccompFieldsBecomeAnnotations)
  const annotations = { ...pod.metadata?.annotations }
  align(annotations, names.seccompPod, pod.spec, bothWays)
  for (const container of [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])])
    align(annotations, `${names.seccompContainer}${container.name}`, container, bothWays)
  if (Object.keys(annotations).length > 0) pod.metadata = { ...pod.metadata, annotations }
}

interface Holder {
  securityContext?: { seccompProfile?: SeccompProfile }
}
function align(annotations: Record<string, string>, key: string, holder: Holder, bothWays: boolean): void {
  const annotation = annotations[key]
  const profile = holder.securityContext?.seccompProfile
  if (profile !== undefined && annotation === undefined) {
    const text = bothWays ? seccompAnnotationOf(profile) : ''
    if (text !== '') annotations[key] = text
  } else if (profile === undefined && annotation !== undefined) {
    const field = seccompProfileOf(annotation)
    if (field) holder.securityContext = { ...holder.securityContext, seccompProfile: field }
  }
}
