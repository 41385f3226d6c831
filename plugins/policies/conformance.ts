import type { ConformanceSamples, Vendor } from 'orch/sdk'
import { policyNames } from './names.js'
import type { BindingSpec, PolicySpec } from './policies/schema.js'

/** Samples for `orch conformance`. None of them matches an object that the suite creates. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { validating, mutating } = policyNames(vendor)
  const idOf = ({ group, resource }: { group: string; resource: string }) => `${resource}.${group}`
  return {
    samples: {
      [idOf(validating.policies)]: {
        valid: () => ({
          spec: {
            ...constraints,
            variables: [{ name: 'replicas', expression: 'object.spec.replicas' }],
            validations: [{ expression: 'variables.replicas < 6', message: 'too many' }],
          },
        }),
        invalid: {
          'an expression of another type': ({ spec }: Policy) => {
            spec.validations![0]!.expression = '1 + 1'
          },
          'no rules about resources': ({ spec }: Policy) => {
            delete spec.matchConstraints!.resourceRules
          },
        },
        update: ({ spec }: Policy) => {
          spec.failurePolicy = 'Ignore'
        },
      },
      [idOf(validating.bindings)]: {
        valid: () => ({ spec: { policyName: 'a.example.com', validationActions: ['Deny'] } }),
        invalid: {
          'a refusal and a warning': ({ spec }: Binding) => {
            spec.validationActions = ['Deny', 'Warn']
          },
        },
        update: ({ spec }: Binding) => {
          spec.validationActions = ['Audit']
        },
      },
      [idOf(mutating.policies)]: {
        valid: () => ({
          spec: {
            ...constraints,
            reinvocationPolicy: 'IfNeeded',
            mutations: [
              {
                patchType: 'ApplyConfiguration',
                applyConfiguration: { expression: 'Object{spec: Object.spec{replicas: 1}}' },
              },
            ],
          },
        }),
        invalid: {
          'a change of another type': ({ spec }: Policy) => {
            spec.mutations![0]!.patchType = 'Merge'
          },
        },
        update: ({ spec }: Policy) => {
          spec.failurePolicy = 'Ignore'
        },
      },
      [idOf(mutating.bindings)]: {
        valid: () => ({ spec: { policyName: 'a.example.com' } }),
        invalid: {
          'no policy': ({ spec }: Binding) => {
            delete spec.policyName
          },
        },
        update: ({ spec }: Binding) => {
          spec.policyName = 'b.example.com'
        },
      },
    },
  }
}

interface Policy {
  spec: PolicySpec
}
interface Binding {
  spec: BindingSpec
}
const constraints = {
  matchConstraints: {
    resourceRules: [
      { operations: ['CREATE'], apiGroups: ['never.example.com'], apiVersions: ['v1'], resources: ['matches'] },
    ],
  },
}
