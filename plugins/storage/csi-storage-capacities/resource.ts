import { defineResource, type Strategy } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import { CSIStorageCapacity } from './schema.js'
import { validateCapacity, validateCapacityUpdate } from './validation.js'

const mainStrategy = {
  validate: validateCapacity,
  validateUpdate: validateCapacityUpdate,
  unconditionalUpdate: false,
} satisfies Strategy<CSIStorageCapacity>

export const csiStorageCapacities = ({ group }: StorageNames) =>
  defineResource({
    group,
    kind: 'CSIStorageCapacity',
    resource: 'csistoragecapacities',
    namespaced: true,
    versions: [{ name: 'v1beta1', schema: CSIStorageCapacity }],
    strategy: mainStrategy,
  })
