import { ageColumn, type Column, defineResource, nameColumn, nameIsDnsLabel } from 'orch/sdk'
import { Namespace } from 'orch/sdk/core'
import type { NamespaceNames } from '../names.js'
import { labelWithName } from './defaults.js'
import { deletion } from './deletion.js'
import { finalizeStrategy } from './finalize-strategy.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'

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
