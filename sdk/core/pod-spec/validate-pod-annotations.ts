import type { Vendor } from '../../plugin/vendor.js'
import { type FieldError, invalidValue } from '../../resource/field-errors.js'
import type { PodSpec } from '../pod-spec.js'
import type { Toleration } from '../taints.js'
import { validateTolerations } from '../validation/toleration-rules.js'
import { checkLocalPath } from '../validation/volume-paths.js'
import { podAnnotations } from './pod-annotations.js'

const texts = ['key', 'operator', 'value', 'effect'] as const

/** Tolerations as JSON; undefined when the text is something else. */
function readTolerations(text: string): Toleration[] | undefined {
  try {
    const list: unknown = JSON.parse(text) ?? []
    return Array.isArray(list) && list.every(isToleration) ? list.map(item => withoutNulls(item ?? {})) : undefined
  } catch {
    return undefined
  }
}

const withoutNulls = (item: object): Toleration =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))

function isToleration(item: unknown): item is object | null {
  if (item === null) return true
  if (typeof item !== 'object' || Array.isArray(item)) return false
  const given = item as Record<string, unknown>
  const seconds = given['tolerationSeconds'] ?? 0
  return texts.every(name => typeof (given[name] ?? '') === 'string') && Number.isSafeInteger(seconds)
}

/** Tolerations were an annotation before they were a field, and must still be valid there. */
function validateTolerationsAnnotation(text: string, key: string, field: string): FieldError[] {
  if (text === '') return []
  const tolerations = readTolerations(text)
  return tolerations === undefined
    ? [invalidValue(field, key, 'must be a list of tolerations as JSON')]
    : validateTolerations(tolerations, `${field}.${key}`)
}

type Annotations = Readonly<Record<string, string>>

/** Annotations that have a meaning for the API itself. */
export function validatePodAnnotations(
  annotations: Annotations = {},
  spec: PodSpec,
  field: string,
  vendor: Vendor,
): FieldError[] {
  const names = podAnnotations(vendor)
  const lists = [spec.containers, spec.initContainers, spec.ephemeralContainers]
  const containers = new Set(lists.flatMap(list => (list ?? []).map(({ name }) => name)))
  return Object.entries(annotations).flatMap(([key, value]) => {
    const at = `${field}[${key}]`
    if (key === names.mirror && (spec.nodeName ?? '') === '')
      return [invalidValue(at, value, 'must set spec.nodeName if mirror pod annotation is set')]
    if (key === names.tolerations) return validateTolerationsAnnotation(value, key, field)
    if (key === names.deletionCost && !isDeletionCost(value))
      return [invalidValue(at, value, 'must be a 32bit integer')]
    if (key === names.seccompPod || key.startsWith(names.seccompContainer))
      return validateSeccompProfile(value, `${field}.${key}`)
    if (key.startsWith(names.appArmorContainer))
      return checkAppArmor(key.slice(names.appArmorContainer.length), value, containers, at)
    return []
  })
}

const isDeletionCost = (value: string) =>
  /^(0|[1-9]\d*|-\d+)$/.test(value) && Number(value) >= -0x80000000 && Number(value) <= 0x7fffffff

const localhost = 'localhost/'
/** A seccomp profile as annotations name it. */
export function validateSeccompProfile(value: string, field: string): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(value)) return []
  if (value.startsWith(localhost)) return checkLocalPath(value.slice(localhost.length), field)
  return [invalidValue(field, value, 'must be a valid seccomp profile')]
}

function checkAppArmor(container: string, value: string, known: ReadonlySet<string>, field: string): FieldError[] {
  return [
    ...(known.has(container) ? [] : [invalidValue(field, container, 'container not found')]),
    ...validateAppArmorProfile(value, field),
  ]
}

/** An AppArmor profile as annotations name it. */
export const validateAppArmorProfile = (value: string, field: string): FieldError[] =>
  value === '' || value === 'runtime/default' || value === 'unconfined' || value.startsWith(localhost)
    ? []
    : [invalidValue(field, value, `invalid AppArmor profile name: "${value}"`)]
