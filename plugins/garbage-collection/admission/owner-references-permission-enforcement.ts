import { isDeepStrictEqual } from 'node:util'
import {
  type AdmissionRequest,
  type ApiObject,
  defineAdmission,
  type OwnerReference,
  type Resolved,
  reject,
  services,
  type Verdict,
} from 'orch/sdk'
import { apiVersionOf } from 'orch/sdk/client'

const needs = { authorizer: services.authorizer, resources: services.resources }

/**
 * An owner determines when its dependents are deleted, and a blocking dependent when its owner is: both need a
 * permission.
 */
export const ownerReferencesPermissionEnforcement = defineAdmission()({
  name: 'OwnerReferencesPermissionEnforcement',
  after: ['ExtendedResourceToleration', 'StorageObjectInUseProtection', 'PodGroupProtection'],
  phase: 'validate',
  sideEffects: 'none',
  enabledByDefault: false,
  matches: { subresource: '*', operations: ['create', 'update'] },
  whenSet: ['metadata', 'ownerReferences'],
  needs,
  review(request, parts) {
    const { group, resource, subresource } = request
    // Node agents write the status of Pods without permission to delete them; the subresource does not change owners.
    if (group === '' && resource === 'pods' && subresource === 'status') return
    const sent = ownersOf(request.object)
    const stored = ownersOf(request.oldObject)
    if (!isDeepStrictEqual(sent, stored)) return reviewOwners(request, sent, stored, parts)
  },
})

async function reviewOwners(
  request: AdmissionRequest,
  sent: readonly OwnerReference[],
  stored: readonly OwnerReference[],
  { authorizer, resources }: Resolved<typeof needs>,
): Promise<Verdict> {
  const { user, operation, group, version, resource, subresource, namespace, name } = request
  // A new object may have any owner.
  if (operation !== 'create') {
    const target = { group, version, resource, subresource, namespace, name }
    if (!(await authorizer.allows(user, 'delete', target)))
      return reject("cannot set an ownerRef on a resource you can't delete")
  }
  const blocking = newlyBlocking(sent, stored)
  // A user who may finalize everything may block every owner, even one of an unknown kind.
  if (blocking.length === 0 || (await authorizer.allows(user, 'update', finalizersOfAnything))) return
  for (const { apiVersion, kind, name: owner } of blocking) {
    const type = resources
      .all()
      .find(
        one =>
          one.kind === kind &&
          one.servedVersions.some(served => apiVersionOf({ ...one, version: served }) === apiVersion),
      )
    if (!type)
      return reject(`cannot set blockOwnerDeletion in this case because there is no kind ${kind} in ${apiVersion}`)
    const finalizers = {
      group: type.group,
      version: apiVersion.slice(apiVersion.indexOf('/') + 1),
      resource: type.resource,
      subresource: 'finalizers',
      namespace: type.namespaced ? namespace : '',
      name: owner,
    }
    if (!(await authorizer.allows(user, 'update', finalizers)))
      return reject(
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
      )
  }
}

const finalizersOfAnything = {
  group: '*',
  version: '*',
  resource: '*',
  subresource: 'finalizers',
  namespace: '',
  name: '*',
}

const ownersOf = (object: ApiObject | undefined): readonly OwnerReference[] => object?.metadata?.ownerReferences ?? []

/** References that block their owner now and did not before. */
function newlyBlocking(sent: readonly OwnerReference[], stored: readonly OwnerReference[]): OwnerReference[] {
  const before = new Set(stored.filter(one => one.blockOwnerDeletion).map(({ uid }) => uid))
  return sent.filter(one => one.blockOwnerDeletion && !before.has(one.uid))
}
