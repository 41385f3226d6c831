import { defineResource } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import { columns } from './columns.js'
import { fillNode } from './defaults.js'
import { Node } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

export const nodes = (names: NodeNames) =>
  defineResource({
    group: '',
    kind: 'Node',
    resource: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    versions: [{ name: 'v1', schema: Node, defaults: fillNode }],
    strategy: mainStrategy,
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    selectableFields: { 'spec.unschedulable': ({ spec }: Node) => String(spec?.unschedulable ?? false) },
    columns: columns(names),
  })
