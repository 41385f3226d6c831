import type { LabelSelector, Vendor } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import {
  type AppArmorProfile,
  appArmorAnnotation,
  type Pod,
  type PodAffinityTerm,
  type PodCondition,
  podAnnotations,
  spreadSelectorMerge,
  validateAppArmor,
} from 'orch/sdk/core'
import { appArmorAnnotations, gatedSinceWhen } from './differences.js'

/** Sets the condition of a new Pod with scheduling gates. */
export function markGated(pod: Pod, now: number, { level }: Vendor): void {
  if ((pod.spec.schedulingGates ?? []).length === 0) return
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: level.has(gatedSinceWhen) ? timestampOf(now) : null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  } as unknown as PodCondition
  pod.status = { ...pod.status, conditions: [condition] }
}

/** Adds the labels of the Pod that matchLabelKeys and mismatchLabelKeys name to the stored selectors. */
export function mergeLabelKeys({ metadata, spec }: Pod, { level }: Vendor): void {
  const labels = metadata?.labels ?? {}
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    const terms: PodAffinityTerm[] = [
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(term => term.podAffinityTerm),
      ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ]
    for (const { labelSelector, matchLabelKeys, mismatchLabelKeys } of terms) {
      merge(labelSelector, matchLabelKeys, 'In', labels)
      merge(labelSelector, mismatchLabelKeys, 'NotIn', labels)
    }
  }
  if (!level.has(spreadSelectorMerge)) return
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? [])
    merge(labelSelector, matchLabelKeys, 'In', labels)
}

function merge(
  selector: LabelSelector | undefined,
  keys: readonly string[] = [],
  operator: 'In' | 'NotIn',
  labels: Readonly<Record<string, string>>,
): void {
  // An absent selector matches nothing, and must remain absent.
  if (!selector) return
  const added = keys.flatMap(key => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined
    return value === undefined ? [] : [{ key, operator, values: [value] }]
  })
  if (added.length > 0) selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added]
}

function validProfile(annotation: string): AppArmorProfile | undefined {
  const profile = appArmorAnnotation.read(annotation)
  return validateAppArmor(profile, '').length === 0 ? profile : undefined
}

/**
 * AppArmor profiles were annotations before they were fields. The field of a container is set unless the Pod has the
 * same profile.
 */
export function copyAppArmor(pod: Pod, vendor: Vendor, warn?: (text: string) => void): void {
  const { metadata, spec } = pod
  if (spec.os?.name === 'windows') return
  const prefix = podAnnotations(vendor).appArmorContainer
  const ofPod = JSON.stringify(spec.securityContext?.appArmorProfile)
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const key = `${prefix}${container.name}`
    const annotation = metadata?.annotations?.[key]
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue
    const profile = validProfile(annotation)
    if (profile && JSON.stringify(profile) === ofPod) continue
    // The warning is issued here, because later the field cannot be distinguished from one that was sent.
    warn?.(`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`)
    if (profile) container.securityContext = { ...container.securityContext, appArmorProfile: profile }
  }
  if (vendor.level.has(appArmorAnnotations)) annotateAppArmor(pod, prefix)
}

/** For node agents that do not support the field. */
function annotateAppArmor(pod: Pod, prefix: string): void {
  const annotations = { ...pod.metadata?.annotations }
  for (const { name, securityContext } of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
    const profile = securityContext?.appArmorProfile ?? pod.spec.securityContext?.appArmorProfile
    const annotation = profile && appArmorAnnotation.of(profile)
    if (annotation !== undefined) annotations[`${prefix}${name}`] ??= annotation
  }
  if (Object.keys(annotations).length > 0) pod.metadata = { ...pod.metadata, annotations }
}
