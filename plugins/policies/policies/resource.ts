import {
  type ApiObject,
  ageColumn,
  type Column,
  defineResource,
  nameColumn,
  type Strategy,
  strategyForSpec,
  strategyForStatus,
} from 'orch/sdk'
import type { PolicyNames } from '../names.js'
import { bindingWrite, policyWrite } from './review-write.js'
import {
  type BindingSpec,
  mutatingBindingVersions,
  mutatingPolicyVersions,
  type PolicySpec,
  type PolicyStatus,
  validatingBindingVersions,
  validatingPolicyVersions,
} from './schema.js'
import { warnOfStaticName } from './static-names.js'
import { validateStatus } from './validation.js'

type Policy = ApiObject & { spec: PolicySpec; status?: PolicyStatus }
type Binding = ApiObject & { spec: BindingSpec }
const metadataChecks = { change: 0, object: 1 }
const common = {
  unconditionalUpdate: false,
  metadataChecks,
  warnings: ({ metadata }, _, { vendor }) => warnOfStaticName(metadata, vendor),
} satisfies Strategy

const policyColumns = (work: 'Validations' | 'Mutations'): readonly Column<Policy>[] => [
  nameColumn as Column<Policy>,
  {
    name: work,
    type: 'integer',
    description: work === 'Validations' ? 'Number of validations.' : 'Number of mutations.',
    cell: ({ spec }) => (work === 'Validations' ? spec.validations : spec.mutations)?.length ?? 0,
  },
  {
    name: 'ParamKind',
    type: 'string',
    description: 'The type of its parameters.',
    cell: ({ spec: { paramKind } }) => (paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : '<unset>'),
  },
  ageColumn as Column<Policy>,
]
const bindingColumns: readonly Column<Binding>[] = [
  nameColumn as Column<Binding>,
  {
    name: 'PolicyName',
    type: 'string',
    description: 'The policy that the binding activates.',
    cell: ({ spec }) => spec.policyName ?? '',
  },
  {
    name: 'ParamRef',
    type: 'string',
    description: 'The parameters of the policy.',
    cell: ({ spec: { paramRef } }) => {
      if (!paramRef) return '<unset>'
      const { namespace, name, selector } = paramRef
      // Whether parameters are namespaced is unknown here.
      return name ? `${namespace || '*'}/${name}` : selector ? JSON.stringify(selector) : '<unset>'
    },
  },
  ageColumn as Column<Binding>,
]
const cluster = { namespaced: false, categories: ['api-extensions'], plainFinalizers: true } as const

export const validatingAdmissionPolicies = (names: PolicyNames) =>
  defineResource({
    ...cluster,
    ...names.validating.policies,
    kind: 'ValidatingAdmissionPolicy',
    singular: 'validatingadmissionpolicy',
    versions: validatingPolicyVersions,
    strategy: strategyForSpec<Policy>({ ...common, newStatus: () => ({}) }),
    subresources: {
      status: {
        kind: 'update',
        since: '1.27',
        strategy: strategyForStatus<Policy>({
          ...common,
          validateUpdate: ({ status }) => validateStatus(status ?? {}),
          metadataChecks: { change: 0, object: 0 },
          resetFields: ['metadata'],
        }),
      },
    },
    permission: policyWrite('validating'),
    columns: policyColumns('Validations'),
  })

export const validatingAdmissionPolicyBindings = (names: PolicyNames) =>
  defineResource({
    ...cluster,
    ...names.validating.bindings,
    kind: 'ValidatingAdmissionPolicyBinding',
    singular: 'validatingadmissionpolicybinding',
    versions: validatingBindingVersions,
    strategy: common satisfies Strategy<Binding>,
    permission: bindingWrite('validating', names),
    columns: bindingColumns,
  })

export const mutatingAdmissionPolicies = (names: PolicyNames) =>
  defineResource({
    ...cluster,
    ...names.mutating.policies,
    kind: 'MutatingAdmissionPolicy',
    singular: 'mutatingadmissionpolicy',
    versions: mutatingPolicyVersions(names.servesBeta),
    strategy: common satisfies Strategy<Policy>,
    permission: policyWrite('mutating'),
    columns: policyColumns('Mutations'),
  })

export const mutatingAdmissionPolicyBindings = (names: PolicyNames) =>
  defineResource({
    ...cluster,
    ...names.mutating.bindings,
    kind: 'MutatingAdmissionPolicyBinding',
    singular: 'mutatingadmissionpolicybinding',
    versions: mutatingBindingVersions(names.servesBeta),
    strategy: common satisfies Strategy<Binding>,
    permission: bindingWrite('mutating', names),
    columns: bindingColumns,
  })
