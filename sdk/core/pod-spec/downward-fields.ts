import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from '../../resource/field-errors.js'
import { isQualifiedName } from '../../validation/object-names.js'
import { canonicalQuantity } from '../../validation/quantity.js'
import type { ObjectFieldSelector, ResourceFieldSelector } from '../downward-fields.js'

/** Every field of a Pod that can be selected at all. */
const selectable = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
])
/** Came later. */
const hostAddresses = 'status.hostIPs'
const specifiedFileFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace']
/** What a file may hold: these only, by the specification. Kubernetes also accepts the uid. */
const fileFields = (isLenient: boolean): readonly string[] =>
  isLenient ? [...specifiedFileFields, 'metadata.uid'] : specifiedFileFields
const environmentFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
] as const

/** How far `status.hostIPs` can be referred to. */
export interface HostAddressRules {
  /** Whether there is such a field. */
  readonly knowsHostAddresses: boolean
  /** Whether variables may hold it. */
  readonly takesHostAddresses: boolean
}

export const refersToHostAddresses = ({ fieldPath }: ObjectFieldSelector): boolean => fieldPath === hostAddresses

/** Since the field exists, this is reported besides what the place says about it. */
const checkHostAddresses = (selector: ObjectFieldSelector, field: string, rules: HostAddressRules): FieldError[] =>
  refersToHostAddresses(selector) && rules.knowsHostAddresses && !rules.takesHostAddresses
    ? [forbiddenField(field, `${hostAddresses} is not available in this version`)]
    : []

/** A variable that holds a field of the Pod. */
export const validateVariableField = (
  selector: ObjectFieldSelector,
  field: string,
  rules: HostAddressRules,
): FieldError[] => [
  ...validateObjectFieldSelector(
    selector,
    rules.knowsHostAddresses ? [...environmentFields, hostAddresses] : environmentFields,
    field,
    rules,
  ),
  ...checkHostAddresses(selector, field, rules),
]

/** A file that shows a field of the Pod. */
export const validateFileField = (
  selector: ObjectFieldSelector,
  field: string,
  rules: HostAddressRules & { readonly isLenient: boolean },
): FieldError[] => [
  ...validateObjectFieldSelector(selector, fileFields(rules.isLenient), field, rules),
  ...checkHostAddresses(selector, field, rules),
]

/** `metadata.labels['a']` is the path `metadata.labels` with the subscript `a`. */
function splitSubscript(fieldPath: string): { path: string; subscript: string } | undefined {
  const match = /^([^[]+)\['(.*)'\]$/s.exec(fieldPath)
  return match ? { path: match[1] ?? '', subscript: match[2] ?? '' } : undefined
}

/** A reference to a field of the Pod itself. `allowed` are the whole fields; single labels and annotations always are. */
function validateObjectFieldSelector(
  { apiVersion = '', fieldPath }: ObjectFieldSelector,
  allowed: readonly string[],
  field: string,
  { knowsHostAddresses }: HostAddressRules,
): FieldError[] {
  if (apiVersion === '') return [requiredValue(`${field}.apiVersion`)]
  if (fieldPath === '') return [requiredValue(`${field}.fieldPath`)]
  const unknown = (why: string) => [invalidValue(`${field}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`)]
  if (apiVersion !== 'v1') return unknown(`unsupported pod version: ${apiVersion}`)
  const part = splitSubscript(fieldPath)
  if (part) {
    if (part.path !== 'metadata.annotations' && part.path !== 'metadata.labels')
      return unknown(`field label does not support subscript: ${fieldPath}`)
    // Annotation keys are case-insensitive here, as they are wherever annotations are validated.
    const key = part.path === 'metadata.annotations' ? part.subscript.toLowerCase() : part.subscript
    return isQualifiedName(key).map(text => invalidValue(field, part.subscript, text))
  }
  // Its name in the first versions.
  const path = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath
  const isKnown = selectable.has(path) || (path === hostAddresses && knowsHostAddresses)
  if (!isKnown) return unknown(`field label not supported: ${fieldPath}`)
  return allowed.includes(path) ? [] : [notSupported(`${field}.fieldPath`, fieldPath, allowed)]
}

const measured = ['cpu', 'ephemeral-storage', 'memory']
const resourceFields = ['limits', 'requests'].flatMap(kind => measured.map(name => `${kind}.${name}`))
const hugePages = ['limits.hugepages-', 'requests.hugepages-']
const cpuDivisors = ['1m', '1']
const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']

/** By the specification a file shows these only; in Kubernetes it may show what a variable may hold. */
const specifiedFileResources = ['limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']

/** A reference of a file to a request or limit. It must say of which container. */
export function validateFileResource(selector: ResourceFieldSelector, field: string, isLenient: boolean): FieldError[] {
  const { containerName = '', resource } = selector
  const isUnlisted = containerName !== '' && resource !== '' && !specifiedFileResources.includes(resource)
  if (isUnlisted && !isLenient) return [notSupported(`${field}.resource`, resource, specifiedFileResources)]
  return validateResourceFieldSelector(selector, field, true)
}

/** A reference to a request or limit of a container. A variable may mean its own container. */
export function validateResourceFieldSelector(
  { containerName = '', resource, divisor = '0' }: ResourceFieldSelector,
  field: string,
  needsContainer: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  if (needsContainer && containerName === '') errors.push(requiredValue(`${field}.containerName`))
  else if (resource === '') errors.push(requiredValue(`${field}.resource`))
  else if (!resourceFields.includes(resource) && !hugePages.some(prefix => resource.startsWith(prefix)))
    errors.push(notSupported(`${field}.resource`, resource, resourceFields))
  return [...errors, ...checkDivisor(resource, divisor, `${field}.divisor`)]
}

function checkDivisor(resource: string, divisor: string, field: string): FieldError[] {
  const unit = canonicalQuantity(divisor)
  if (unit === '0') return []
  // An unknown resource is reported elsewhere, and has no unit.
  const isKnown = resourceFields.includes(resource)
  const isCpu = isKnown && resource.endsWith('.cpu')
  const isBytes = isKnown || hugePages.some(prefix => resource.startsWith(prefix))
  const allowed = isCpu ? cpuDivisors : isBytes ? byteDivisors : [unit]
  return allowed.includes(unit)
    ? []
    : [invalidValue(field, resource, `only divisor's values ${allowed.join(', ')} are supported with this resource`)]
}
