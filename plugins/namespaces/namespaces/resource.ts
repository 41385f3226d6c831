import { defineResource, nameIsDnsLabel } from 'orch/sdk'
import type { NamespaceNames } from '../names.js'
import { columns } from './columns.js'
import { labelWithName } from './defaults.js'
import { deletion } from './deletion.js'
import { finalizeStrategy } from './finalize-strategy.js'
import { Namespace } from './schema.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'

export const namespaces = (names: NamespaceNames) =>
  defineResource({
    group: '',
    kind: 'Namespace',
    resource: 'namespaces',
    shortNames: ['ns'],
    namespaced: false,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    versions: [{ name: 'v1', schema: Namespace, defaults: labelWithName(names) }],
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
