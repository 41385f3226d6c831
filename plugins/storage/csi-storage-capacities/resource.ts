import { defineResource, type FieldError, invalidValue, type Strategy, type StrategyContext } from 'orch/sdk'
import { checkNonNegative, checksSelectorValues } from 'orch/sdk/core'
import { isDns1123Subdomain, validateLabelSelector } from 'orch/sdk/validation'
import { capacitiesAreCheckedOnce } from '../differences.js'
import { checkUnchanged } from '../immutable-field.js'
import type { StorageNames } from '../names.js'
import { warningsAboutCapacity } from '../warnings.js'
import { CSIStorageCapacity, capacityIn } from './schema.js'

type OfVersion = Pick<StrategyContext, 'vendor'>

const validateObject = (
  { nodeTopology, storageClassName, capacity }: CSIStorageCapacity,
  { vendor: { level } }: OfVersion,
  stored?: CSIStorageCapacity,
): FieldError[] => [
  ...validateLabelSelector(nodeTopology, 'nodeTopology', {
    checksValues: checksSelectorValues(level, stored?.nodeTopology),
  }),
  ...isDns1123Subdomain(storageClassName).map(text => invalidValue('storageClassName', storageClassName, text)),
  ...(capacity === undefined ? [] : checkNonNegative(capacity, 'capacity')),
]

/** Before `capacitiesAreCheckedOnce`, errors of a new object are reported twice. */
const validateCapacity = (capacity: CSIStorageCapacity, context: OfVersion): FieldError[] => [
  ...validateObject(capacity, context),
  ...(context.vendor.level.has(capacitiesAreCheckedOnce) ? [] : validateObject(capacity, context)),
]

/** Class and topology identify a capacity, so they are immutable. */
const validateCapacityUpdate = (
  sent: CSIStorageCapacity,
  stored: CSIStorageCapacity,
  context: OfVersion,
): FieldError[] => [
  ...validateObject(sent, context, stored),
  ...checkUnchanged(sent.nodeTopology, stored.nodeTopology, 'nodeTopology'),
  ...checkUnchanged(sent.storageClassName, stored.storageClassName, 'storageClassName'),
]

const mainStrategy = {
  validate: validateCapacity,
  validateUpdate: validateCapacityUpdate,
  warnings: (capacity, _, { vendor }) => warningsAboutCapacity(capacity, vendor),
  unconditionalUpdate: false,
} satisfies Strategy<CSIStorageCapacity>

export const csiStorageCapacities = ({ group }: StorageNames) =>
  defineResource({
    group,
    kind: 'CSIStorageCapacity',
    resource: 'csistoragecapacities',
    namespaced: true,
    versions: [
      { name: 'v1', since: '1.24', schema: CSIStorageCapacity, storage: true },
      {
        name: 'v1beta1',
        until: '1.26',
        schema: capacityIn('v1beta1'),
        deprecated: { since: '1.24', removedRelease: '1.27', replacement: `${group}/v1` },
      },
    ],
    strategy: mainStrategy,
  })
