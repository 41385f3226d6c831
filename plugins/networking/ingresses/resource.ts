import { defineResource } from 'orch/sdk'
import type { NetworkingNames } from '../names.js'
import { columns } from './columns.js'
import { Ingress } from './schema.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'

export const ingresses = (names: NetworkingNames) =>
  defineResource({
    group: names.group,
    formerGroup: 'extensions',
    kind: 'Ingress',
    resource: 'ingresses',
    shortNames: ['ing'],
    namespaced: true,
    versions: [{ name: 'v1', schema: Ingress }],
    strategy: mainStrategy(names),
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns,
  })
