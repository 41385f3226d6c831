import {
  ageColumn,
  type Column,
  type DeleteStrategy,
  defineResource,
  nameColumn,
  type Strategy,
  strategyForStatus,
} from 'orch/sdk'
import { Namespace } from 'orch/sdk/core'
import { nameIsDnsLabel } from 'orch/sdk/validation'
import type { NamespaceNames } from '../names.js'
import { terminatingPhase } from '../names.js'
import { labelWithName } from './defaults.js'
import { mainStrategy } from './strategy.js'
import { validateFinalize, validateStatus } from './validation.js'

/** The only subresource that can change `spec.finalizers`. */
export const finalizeStrategy = (names: NamespaceNames) =>
  ({
    prepareForUpdate(draft, stored) {
      draft.status = stored.status
    },
    validateUpdate: namespace => validateFinalize(namespace, names),
    resetFields: ['status'],
  }) satisfies Strategy<Namespace>

/** A deleted namespace stays until its contents are gone and its finalizers are removed through `finalize`. */
export const deletion = {
  onDeletionStart(draft) {
    draft.status = { ...draft.status, phase: terminatingPhase }
    // There is no grace period: a namespace is removed when it is empty.
    delete draft.metadata?.deletionGracePeriodSeconds
  },
  // Clients observe the namespace as terminating first, even if it has no finalizers.
  inTwoSteps: true,
  blocksDeletion: ({ spec }) => (spec?.finalizers ?? []).length > 0,
} satisfies DeleteStrategy<Namespace>

export const statusStrategy = strategyForStatus<Namespace>({
  validateUpdate: validateStatus,
})

const columns: readonly Column<Namespace>[] = [
  nameColumn,
  {
    name: 'Status',
    type: 'string',
    description: 'Whether the namespace is active or being removed.',
    cell: ({ status }) => status?.phase ?? '',
  },
  ageColumn,
]

export const namespaces = (names: NamespaceNames) =>
  defineResource({
    group: '',
    kind: 'Namespace',
    resource: 'namespaces',
    shortNames: ['ns'],
    namespaced: false,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    versions: [{ name: 'v1', schema: Namespace, defaults: labelWithName(names) }],
    generation: false,
    strategy: mainStrategy(names),
    deletion,
    subresources: {
      status: { kind: 'update', strategy: statusStrategy },
      finalize: { kind: 'update', verbs: ['update'], strategy: finalizeStrategy(names) },
    },
    selectableFields: { 'status.phase': ({ status }: Namespace) => status?.phase ?? '' },
    columns,
    validateName: nameIsDnsLabel,
  })
