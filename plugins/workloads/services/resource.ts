import { defineResource, nameIsDns1035Label, type Vendor } from 'orch/sdk'
import { columns } from './columns.js'
import { fillService } from './defaults.js'
import { serviceNames } from './names.js'
import { Service } from './schema.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'

export const services = (vendor: Vendor) =>
  defineResource({
    group: '',
    kind: 'Service',
    resource: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    namespaced: true,
    versions: [{ name: 'v1', schema: Service, defaults: fillService }],
    strategy: mainStrategy(serviceNames(vendor)),
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    validateName: nameIsDns1035Label,
    columns,
  })
