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

/** Finalizers that a loop restores asynchronously when an update omits them. */
const protections: Readonly<Record<string, string>> = {
  persistentvolumes: 'kubernetes.io/pv-protection',
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
}
export const keptFinalizers = (resource: string): JsonObject => {
  const finalizer = protections[resource]
  return finalizer === undefined ? {} : { finalizers: [finalizer] }
}

/** A loop signs approved requests asynchronously: approvals are only sent with dry run. */
export const isCompletedLater = (subresource: string): boolean => subresource === 'approval'

/** Types whose deleted objects have a finalizer that a loop removes asynchronously: they are only deleted with dry run. */
const deletedLater = new Set([...Object.keys(protections), 'jobs', 'replicationcontrollers'])
export const isDeletedLater = (resource: string): boolean => deletedLater.has(resource)

/** Finalizers that the garbage collector removes asynchronously. */
const collected = /^(?:foregroundDeletion|orphan)$/

/** Marks of a type's default object, which all users of the server would get. */
const defaultMarks = /is-default-class$/
/** Filled asynchronously by a loop. */
const filledLater = 'kubernetes.io/service-account-token'
/** A loop approves the requests of nodes, and another one signs them. */
const approvedLater = 'kubernetes.io/kube-apiserver-client-kubelet'

/** Removes from a body what would affect other conversations, or what loops complete asynchronously. */
export function harmless(value: unknown, isDryRun: boolean, field = ''): unknown {
  if (Array.isArray(value)) {
    if (field === 'apiGroups' && value.length > 0) return ['{{run}}.example.com']
    return value.map(item => harmless(item, isDryRun, field))
  }
  if (value === filledLater) return 'Opaque'
  if (value === approvedLater && !isDryRun) return 'kubernetes.io/kube-apiserver-client'
  if (typeof value === 'string' && collected.test(value) && !isDryRun) return 'example.com/held'
  if (!isObject(value)) return value
  const result: JsonObject = {}
  for (const [name, item] of Object.entries(value)) {
    // The garbage collector deletes objects with missing owners.
    if (name === 'ownerReferences' && !isDryRun) continue
    if (defaultMarks.test(name)) continue
    result[name] = name === 'globalDefault' ? false : harmless(item, isDryRun, name)
  }
  return result
}
