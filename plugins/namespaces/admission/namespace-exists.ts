import { defineAdmission, notFound } from 'orch/sdk'
import { namespaceCollection } from 'orch/sdk/core'
import { findNamespace, isInsideNamespace, lookupNeeds } from './find-namespace.js'

/** Rejects writes, including deletions, in a namespace that does not exist. */
export const namespaceExists = defineAdmission()({
  name: 'NamespaceExists',
  stage: 'existence',
  after: ['NamespaceLifecycle'],
  phase: 'validate',
  sideEffects: 'none',
  enabledByDefault: false,
  matches: { subresource: '*', operations: ['create', 'update', 'delete'] },
  needs: lookupNeeds,
  async review(request, services) {
    if (!isInsideNamespace(request) || (await findNamespace(request.namespace, services))) return
    throw notFound({ ...namespaceCollection, name: request.namespace })
  },
})
