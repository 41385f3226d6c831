import { ApiError, defineAdmission, services } from 'orch/sdk'
import { type Namespace, namespaceCollection } from '../namespaces/schema.js'
import { findNamespace, isInsideNamespace, lookupNeeds } from './find-namespace.js'

/** Creates the namespace of a new object when it is missing. */
export const namespaceAutoProvision = defineAdmission()({
  name: 'NamespaceAutoProvision',
  phase: 'mutate',
  sideEffects: 'some',
  order: 'first',
  enabledByDefault: false,
  matches: { subresource: '*', operations: ['create'] },
  needs: { ...lookupNeeds, client: services.client },
  async review(request, { client, ...lookup }) {
    if (request.dryRun || !isInsideNamespace(request) || (await findNamespace(request.namespace, lookup))) return
    try {
      await client.resource<Namespace>(namespaceCollection).create({ metadata: { name: request.namespace } })
    } catch (error) {
      // Another request was faster.
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error
    }
  },
})
