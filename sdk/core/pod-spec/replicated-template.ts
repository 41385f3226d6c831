import { defineDifference } from '../../plugin/level.js'
import type { Vendor } from '../../plugin/vendor.js'
import { addAll, type FieldError, forbiddenField, invalidValue, notSupported } from '../../resource/field-errors.js'
import type { ObjectMeta } from '../../resource/meta.js'
import type { StrategyContext } from '../../resource/strategy.js'
import { isDns1123Label } from '../../validation/object-names.js'
import type { PodTemplateSpec } from '../pod-spec.js'
import type { Volume } from '../volume.js'
import { ownerNameWarnings } from './differences.js'
import { dropFormerAnnotations } from './former-annotations.js'
import { podWarnings } from './pod-warnings.js'
import { dropUnservedFields } from './unserved-fields.js'
import { validatePodTemplate } from './validate-pod-template.js'

const sharedDisksAreReadOnly = defineDifference({
  name: 'shared-disks-are-read-only',
  until: '1.28',
  description: 'A gcePersistentDisk of replicated Pods must be read-only.',
  knownFrom: 'source',
})

const storedDisksMayBeShared = defineDifference({
  name: 'stored-disks-may-be-shared',
  since: '1.28',
  until: '1.28',
  additive: true,
  description: 'A gcePersistentDisk of replicated Pods need not be read-only if one of the stored ones is not.',
  knownFrom: 'source',
})

/** Removes fields that are not served from a template, before it is validated. Fields of the stored one stay allowed. */
export function preparePodTemplate(
  template: PodTemplateSpec | undefined,
  stored: PodTemplateSpec | undefined,
  vendor: Vendor,
): void {
  dropFormerAnnotations(template ?? {}, vendor)
  dropUnservedFields(template?.spec, vendor, stored?.spec)
}

/** Warnings about a template at `path`, if the spec has changed: otherwise they were reported before. */
export const templateWarnings = (
  template: PodTemplateSpec | undefined,
  path: string,
  { sent, stored, vendor }: { sent?: ObjectMeta; stored?: ObjectMeta; vendor: Vendor },
): string[] =>
  stored !== undefined && sent?.generation === stored.generation ? [] : podWarnings(template ?? {}, vendor, `${path}.`)

/** The name of an owner becomes part of the names of its Pods and hosts. */
export function ownerWarnings({ name = '' }: ObjectMeta = {}, stored: unknown, { level }: Vendor): string[] {
  const problems = stored === undefined && level.has(ownerNameWarnings) ? isDns1123Label(name) : []
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
      ]
}

const isWritableDisk = ({ gcePersistentDisk }: Volume): boolean =>
  gcePersistentDisk ? !gcePersistentDisk.readOnly : false

/** Several machines can only share such a disk read-only. Types that tolerate stored ones pass the stored volumes. */
export function checkSharedDisks(
  volumes: readonly Volume[],
  field: string,
  vendor: Vendor,
  storedVolumes: readonly Volume[] = [],
): FieldError[] {
  const { level } = vendor
  if (!level.has(sharedDisksAreReadOnly)) return []
  if (level.has(storedDisksMayBeShared) && storedVolumes.some(isWritableDisk)) return []
  return volumes.flatMap((volume, i) =>
    isWritableDisk(volume)
      ? [
          invalidValue(
            `${field}[${i}].gcePersistentDisk.readOnly`,
            false,
            'must be true for replicated pods > 1: such a disk can be mounted on several machines only if it is read-only',
          ),
        ]
      : [],
  )
}

/** Pods of a template run until their owner deletes them, so their lifetime must not be limited. */
export function checkRunsForever({ spec }: PodTemplateSpec, field: string, kind: string): FieldError[] {
  const errors: FieldError[] = []
  if (spec?.restartPolicy !== 'Always')
    errors.push(notSupported(`${field}.spec.restartPolicy`, spec?.restartPolicy ?? '', ['Always']))
  if (spec?.activeDeadlineSeconds !== undefined)
    errors.push(
      forbiddenField(`${field}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`),
    )
  return errors
}

/** The selector of an owner must match the labels of its template, or it would not find its own Pods. */
export const checkSelected = (
  { metadata }: PodTemplateSpec,
  matches: (labels: Readonly<Record<string, string>>) => boolean,
  field: string,
): FieldError[] =>
  matches(metadata?.labels ?? {})
    ? []
    : [invalidValue(`${field}.metadata.labels`, metadata?.labels ?? {}, '`selector` does not match template `labels`')]

/**
 * Checks the limits of a template as often as its owner validates it in Kubernetes, where they are part of that: not at all behind an
 * unreadable selector, twice in some updates.
 */
export const checkTemplateLimits =
  <T extends object>(times: (sent: T, stored: T | undefined, context: StrategyContext) => number) =>
  (sent: T, stored: T | undefined, context: StrategyContext): FieldError[] => {
    const errors = context.limitErrors?.(sent) ?? []
    const ofPods = errors.filter(isOfPods)
    if (ofPods.length === 0) return errors
    const repeated = Array.from({ length: times(sent, stored, context) }, () => ofPods)
    return [...errors.filter(error => !isOfPods(error)), ...repeated.flat()]
  }
const isOfPods = ({ field }: FieldError): boolean => field.startsWith('spec.template.spec.')

/** Validates the template of identical Pods, which run until their owner deletes them. */
export function validateReplicatedTemplate(
  template: PodTemplateSpec,
  field: string,
  {
    kind,
    matches,
    replicas,
    vendor,
    stored,
    storedVolumes,
  }: {
    kind: string
    matches?: Parameters<typeof checkSelected>[1]
    replicas: number
    vendor: Vendor
    stored?: PodTemplateSpec | undefined
    storedVolumes?: readonly Volume[] | undefined
  },
): FieldError[] {
  const errors = matches ? checkSelected(template, matches, field) : []
  addAll(errors, validatePodTemplate(template, field, vendor, stored))
  if (replicas > 1)
    addAll(errors, checkSharedDisks(template.spec?.volumes ?? [], `${field}.spec.volumes`, vendor, storedVolumes))
  addAll(errors, checkRunsForever(template, field, kind))
  return errors
}
