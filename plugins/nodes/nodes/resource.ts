import { type ApiObject, type ConnectSubresource, defineResource } from 'orch/sdk'
import { proxyTo, unreachableService } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import { columns } from './columns.js'
import { fillNode } from './defaults.js'
import { Node } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

/** Leads to the agent of a node, or to another port of it. */
const proxy: ConnectSubresource = {
  ...proxyTo('Node'),
  connect({ target }: { target: ApiObject }) {
    throw unreachableService(`node ${JSON.stringify(target.metadata.name)}`)
  },
}

export const nodes = (names: NodeNames) =>
  defineResource({
    group: '',
    kind: 'Node',
    resource: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    versions: [{ name: 'v1', schema: Node, defaults: fillNode }],
    generation: false,
    strategy: mainStrategy,
    subresources: { status: { kind: 'update', strategy: statusStrategy }, proxy },
    selectableFields: { 'spec.unschedulable': ({ spec }: Node) => String(spec?.unschedulable ?? false) },
    columns: columns(names),
  })
