import { ApiError, defineAdmission, forbidden, notFound, refusedName, reject } from 'orch/sdk'
import { type Namespace, namespaceCollection } from 'orch/sdk/core'
import type { NamespaceNames } from '../names.js'
import { terminatingPhase } from '../names.js'
import { cachedNamespace, isInsideNamespace, isNamespace, lookupNeeds, readNamespace } from './find-namespace.js'

/** Rejects writes to missing namespaces, new objects in terminating ones, and the deletion of system namespaces. */
export const namespaceLifecycle = ({ undeletable, authorizationGroup }: NamespaceNames) =>
  defineAdmission()({
    name: 'NamespaceLifecycle',
    stage: 'existence',
    after: ['NamespaceAutoProvision'],
    phase: 'mutate', // before the controls that read the namespace
    sideEffects: 'none',
    matches: { subresource: '*', operations: ['create', 'update', 'delete'] },
    needs: lookupNeeds,
    review(request, { caches, reader }) {
      const { operation, group, resource, name, namespace } = request
      if (operation === 'delete') {
        // Objects in a namespace may always be deleted.
        return isNamespace(request) && undeletable.includes(name)
          ? reject('this namespace may not be deleted')
          : undefined
      }
      // Access reviews would reveal whether the namespace exists.
      if (!isInsideNamespace(request) || group === authorizationGroup) return
      const check = (found: Namespace | undefined): undefined => {
        if (!found) throw notFound({ ...namespaceCollection, name: namespace })
        if (operation === 'create' && found.status?.phase === terminatingPhase)
          throw beingTerminated({ group, resource, name: refusedName(request) }, namespace)
      }
      const known = cachedNamespace(namespace, caches)
      return known ? check(known) : readNamespace(namespace, reader).then(check)
    },
  })

function beingTerminated(subject: { group: string; resource: string; name: string }, namespace: string): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const { code, reason, message, details } = forbidden(subject, why)
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  }
  return new ApiError(code, reason, message, { ...details, causes: [cause] })
}
