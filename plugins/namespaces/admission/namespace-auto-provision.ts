import { ApiError, defineAdmission, reject, services } from 'orch/sdk'
import { type Namespace, namespaceCollection } from 'orch/sdk/core'
import { findNamespace, isInsideNamespace, lookupNeeds } from './find-namespace.js'

/** Creates the namespace of a new object when it is missing. */
export const namespaceAutoProvision = defineAdmission()({
  name: 'NamespaceAutoProvision',
  stage: 'existence',
  after: ['AlwaysAdmit'],
  phase: 'mutate',
  sideEffects: 'noneOnDryRun',
  enabledByDefault: false,
  matches: { subresource: '*', operations: ['create'] },
  needs: { ...lookupNeeds, client: services.client },
  async review(request, { client, ...lookup }) {
    if (request.dryRun || !isInsideNamespace(request) || (await findNamespace(request.namespace, lookup))) return
    try {
      await client.resource<Namespace>(namespaceCollection).create({ metadata: { name: request.namespace } })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Unless another request created it, the object cannot be created.
      if (error.reason !== 'AlreadyExists') return reject(error.message)
    }
  },
})
