import { isObject, type JsonObject } from '../golden/json-paths.js'

/** Types whose objects affect other conversations, or that a loop keeps changing: only sent with dry run. */
const triedOnly = new Set([
  'apiregistration.k8s.io/apiservices',
  'apiextensions.k8s.io/customresourcedefinitions',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
  'networking.k8s.io/servicecidrs',
  'networking.k8s.io/ipaddresses',
  'resource.k8s.io/resourceslices',
  '/resourcequotas',
  '/namespaces',
])
export const isTriedOnly = (group: string, resource: string): boolean => triedOnly.has(`${group}/${resource}`)

/** Types whose deletion orphans dependents unless the client chooses otherwise: a loop does that asynchronously. */
const orphaning = new Set(['jobs', 'replicationcontrollers'])
export const isOrphaning = (resource: string): boolean => orphaning.has(resource)

/** Finalizers that a loop restores asynchronously when an update omits them. */
const protections: Readonly<Record<string, string>> = {
  persistentvolumes: 'kubernetes.io/pv-protection',
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
}
/** Their deletion ends asynchronously, too. */
export const isProtected = (resource: string): boolean => Object.hasOwn(protections, resource)
export const keptFinalizers = (resource: string): JsonObject => {
  const finalizer = protections[resource]
  return finalizer === undefined ? {} : { finalizers: [finalizer] }
}

/** Marks of a type's default object, which all users of the server would get. */
const defaultMarks = /is-default-class$/
/** Finalizers that the garbage collector removes. */
const collected = new Set<unknown>(['foregroundDeletion', 'orphan'])
/** Filled asynchronously by a loop. */
const filledLater = 'kubernetes.io/service-account-token'

/** Removes from a body what would affect other conversations, or what loops complete asynchronously. */
export function harmless(value: unknown, isDryRun: boolean, field = ''): unknown {
  if (Array.isArray(value)) {
    if (field === 'apiGroups' && value.length > 0) return ['{{run}}.example.com']
    return value.map(item => harmless(item, isDryRun, field))
  }
  if (value === filledLater) return 'Opaque'
  if (!isObject(value)) return value
  const result: JsonObject = {}
  for (const [name, item] of Object.entries(value)) {
    // The garbage collector deletes objects with missing owners.
    if (name === 'ownerReferences' && !isDryRun) continue
    if (defaultMarks.test(name)) continue
    if (name === 'finalizers' && !isDryRun && Array.isArray(item)) {
      result[name] = item.filter(finalizer => !collected.has(finalizer))
      continue
    }
    result[name] = name === 'globalDefault' ? false : harmless(item, isDryRun, name)
  }
  return result
}
