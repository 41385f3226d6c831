import { defineResource, Pod } from 'orch/sdk'
import { binding } from './binding.js'
import { columns, rowConditions } from './columns.js'
import { fillPod } from './defaults.js'
import { deletion } from './deletion.js'
import { ephemeralContainersStrategy } from './ephemeral-containers-strategy.js'
import { eviction } from './eviction.js'
import { selectableFields } from './selectable-fields.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'

export const pods = defineResource({
  group: '',
  kind: 'Pod',
  resource: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', schema: Pod, defaults: fillPod }],
  strategy: mainStrategy,
  deletion,
  subresources: {
    status: { kind: 'update', strategy: statusStrategy },
    ephemeralcontainers: { kind: 'update', strategy: ephemeralContainersStrategy },
    binding,
    eviction,
  },
  selectableFields,
  columns,
  rowConditions,
})
