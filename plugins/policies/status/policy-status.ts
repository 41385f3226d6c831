import { ApiError, type ApiObject } from 'orch/sdk'
import { defineControlLoop } from 'orch/sdk/controllers'
import { expressions } from 'orch/sdk/expressions'
import type { PolicyNames } from '../names.js'
import type { PolicySpec, PolicyStatus } from '../policies/schema.js'
import { checkTypes } from './check-types.js'

type Policy = ApiObject & { spec: PolicySpec; status?: PolicyStatus }

/** Type checks the expressions of validating policies and writes the errors to their status. */
export const policyStatus = ({ group, validating: { policies } }: PolicyNames) => {
  const collection = { ...policies, version: 'v1' }
  return defineControlLoop({
    name: 'validatingadmissionpolicy-status',
    since: '1.30',
    account: 'validatingadmissionpolicy-status-controller',
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [group], resources: ['validatingadmissionpolicies'] },
      { verbs: ['get', 'patch', 'update'], apiGroups: [group], resources: ['validatingadmissionpolicies/status'] },
    ],
    needs: { language: expressions },
    sources: [{ resource: collection }],
    async reconcile(name, caches, { client, language }) {
      const policy = caches.of<Policy>(collection).get('', name)
      if (!policy || policy.metadata.deletionTimestamp) return
      const { generation = 0 } = policy.metadata
      if (policy.status?.observedGeneration === generation) return
      const expressionWarnings = await checkTypes(policy.spec, client, language)
      const { typeChecking: before, ...others } = policy.status ?? {}
      // As in Kubernetes, nothing is left of warnings once there are none.
      const isCleared = expressionWarnings.length === 0 && (before?.expressionWarnings?.length ?? 0) > 0
      const status: PolicyStatus = {
        ...others,
        observedGeneration: generation,
        ...(isCleared ? {} : { typeChecking: expressionWarnings.length > 0 ? { expressionWarnings } : {} }),
      }
      try {
        await client.resource<Policy>(collection).updateSubresource('status', { ...policy, status })
      } catch (error) {
        // The policy was changed or deleted meanwhile; that change triggers another reconcile.
        if (!(error instanceof ApiError && (error.code === 409 || error.code === 404))) throw error
      }
    },
  })
}
