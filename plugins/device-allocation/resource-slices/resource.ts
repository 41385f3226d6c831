import { ageColumn, type Column, defineResource, nameColumn, type Strategy, timestampOf } from 'orch/sdk'
import { driversInLowerCase } from '../differences.js'
import type { DeviceNames } from '../names.js'
import { convertNested } from './nested-devices.js'
import { nestedSliceIn, ResourceSlice, sliceIn } from './schema.js'
import { validateSlice, validateSliceUpdate } from './validation.js'

/** Defaults that a schema cannot express: they depend on the time, or are inside of maps. */
function fillDevices({ spec }: ResourceSlice, now: number): void {
  for (const { taints = [], nodeAllocatableResourceMappings = {} } of spec.devices ?? []) {
    for (const taint of taints) taint.timeAdded ??= timestampOf(now)
    for (const mapping of Object.values(nodeAllocatableResourceMappings)) mapping.allocationMultiplier ??= '1'
  }
}

const mainStrategy = {
  prepareForCreate: (draft, { now }) => fillDevices(draft, now),
  prepareForUpdate: (draft, _, { now }) => fillDevices(draft, now),
  validate: (object, { vendor }) => validateSlice(object, vendor),
  validateUpdate: (object, stored, { vendor }) => validateSliceUpdate(object, stored, vendor),
  warnings: ({ spec: { driver } }, _, { vendor }) =>
    driver === driver.toLowerCase() || !vendor.level.has(driversInLowerCase)
      ? []
      : [`spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`],
  metadataChecks: { change: 1, object: 0 },
} satisfies Strategy<ResourceSlice>

const text = (name: string, description: string, cell: (slice: ResourceSlice) => string): Column<ResourceSlice> => ({
  name,
  type: 'string',
  description,
  cell,
})
const columns: readonly Column<ResourceSlice>[] = [
  nameColumn as Column<ResourceSlice>,
  text('Node', 'The node that has the devices.', ({ spec }) => spec.nodeName ?? ''),
  text('Driver', 'The driver of the devices.', ({ spec }) => spec.driver),
  text('Pool', 'The pool that the devices are in.', ({ spec }) => spec.pool.name),
  ageColumn as Column<ResourceSlice>,
]

export const resourceSlices = ({ group }: DeviceNames) =>
  defineResource({
    group,
    kind: 'ResourceSlice',
    resource: 'resourceslices',
    namespaced: false,
    versions: [
      { name: 'v1', since: '1.34', schema: ResourceSlice, storage: true },
      { name: 'v1beta2', since: '1.33', schema: sliceIn('v1beta2'), served: false },
      { name: 'v1beta1', since: '1.32', schema: nestedSliceIn('v1beta1'), served: false, ...convertNested('structs') },
      {
        name: 'v1alpha3',
        since: '1.31',
        until: '1.33',
        schema: nestedSliceIn('v1alpha3'),
        ...convertNested('amounts'),
      },
    ],
    since: '1.31',
    strategy: mainStrategy,
    selectableFields: {
      'spec.nodeName': ({ spec }: ResourceSlice) => spec.nodeName ?? '',
      'spec.driver': ({ spec }: ResourceSlice) => spec.driver,
    },
    deletion: { answer: 'object' },
    columns,
  })
