import { ApiError, type ApiObject, services } from 'orch/sdk'
import { defineControlLoop } from 'orch/sdk/controllers'
import { expressions } from 'orch/sdk/expressions'
import type { PolicyNames } from '../names.js'
import type { ExpressionWarnings, PolicySpec, PolicyStatus } from '../policies/schema.js'
import { checkTypes } from './check-types.js'

type Policy = ApiObject & { spec: PolicySpec; status?: PolicyStatus }

/** Type checks the expressions of validating policies and writes the errors to their status. */
export const policyStatus = ({ group, validating: { policies } }: PolicyNames) =>
  defineControlLoop({
    name: 'validatingadmissionpolicy-status',
    since: '1.28',
    account: 'validatingadmissionpolicy-status-controller',
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [group], resources: ['validatingadmissionpolicies'] },
      { verbs: ['get', 'patch', 'update'], apiGroups: [group], resources: ['validatingadmissionpolicies/status'] },
    ],
    needs: { language: expressions, resources: services.resources },
    setUp({ client, language, resources }) {
      // Before 1.30 policies were beta, and the loop ignored policies that are only served as alpha.
      const served = resources.find(policies.group, policies.resource)?.servedVersions ?? []
      const version = ['v1', 'v1beta1'].find(name => served.includes(name))
      if (version === undefined) return undefined
      const collection = { ...policies, version }
      return {
        sources: [{ resource: collection }],
        async reconcile(name, caches) {
          const policy = caches.of<Policy>(collection).get('', name)
          if (!policy || policy.metadata.deletionTimestamp) return
          const { generation = 0 } = policy.metadata
          if (policy.status?.observedGeneration === generation) return
          const expressionWarnings = await checkTypes(policy.spec, client, resources, language)
          try {
            const status = checkedStatus(policy, expressionWarnings)
            await client.resource<Policy>(collection).updateSubresource('status', { ...policy, status })
          } catch (error) {
            // The policy was changed or deleted meanwhile; that change triggers another reconcile.
            if (!(error instanceof ApiError && (error.code === 409 || error.code === 404))) throw error
          }
        },
      }
    },
  })

function checkedStatus({ metadata, status = {} }: Policy, expressionWarnings: ExpressionWarnings): PolicyStatus {
  const { typeChecking: before, ...others } = status
  // As in Kubernetes, typeChecking is removed once there are no warnings left.
  const isCleared = expressionWarnings.length === 0 && (before?.expressionWarnings?.length ?? 0) > 0
  return {
    ...others,
    observedGeneration: metadata.generation ?? 0,
    ...(isCleared ? {} : { typeChecking: expressionWarnings.length > 0 ? { expressionWarnings } : {} }),
  }
}
