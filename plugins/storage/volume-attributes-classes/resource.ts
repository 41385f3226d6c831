import { isDeepStrictEqual } from 'node:util'
import {
  ageColumn,
  type Column,
  defineResource,
  type FieldError,
  forbiddenField,
  invalidValue,
  nameColumn,
  requiredValue,
  type Strategy,
  type StrategyContext,
} from 'orch/sdk'
import { isQualifiedName } from 'orch/sdk/validation'
import { classesAreCheckedTwice } from '../differences.js'
import type { StorageNames } from '../names.js'
import { checkParameters } from '../storage-classes/validation.js'
import { VolumeAttributesClass, volumeAttributesClassIn } from './schema.js'

export const validateClass = ({ driverName = '', parameters = {} }: VolumeAttributesClass): FieldError[] => [
  ...(driverName === ''
    ? [requiredValue('driverName')]
    : isQualifiedName(driverName.toLowerCase()).map(text => invalidValue('driverName', driverName, text))),
  ...(Object.keys(parameters).length === 0
    ? [requiredValue('parameters', 'must contain at least one key/value pair')]
    : checkParameters(parameters)),
]

/** Fields that existing volumes depend on are immutable. */
export const validateClassUpdate = (
  sent: VolumeAttributesClass,
  stored: VolumeAttributesClass,
  { vendor: { level } }: Pick<StrategyContext, 'vendor'>,
): FieldError[] => [
  ...(level.has(classesAreCheckedTwice) ? validateClass(sent) : []),
  ...(['driverName', 'parameters'] as const)
    .filter(field => !isDeepStrictEqual(sent[field], stored[field]))
    .map(field => forbiddenField(field, `updates to ${field} are forbidden.`)),
  ...validateClass(sent),
]

const mainStrategy = {
  validate: validateClass,
  validateUpdate: validateClassUpdate,
  metadataChecks: level => ({ change: 1, object: level.has(classesAreCheckedTwice) ? 2 : 1 }),
} satisfies Strategy<VolumeAttributesClass>

const columns: readonly Column<VolumeAttributesClass>[] = [
  nameColumn as Column<VolumeAttributesClass>,
  {
    name: 'DriverName',
    type: 'string',
    description: 'The driver of volumes of this class.',
    cell: ({ driverName }) => driverName,
  },
  ageColumn as Column<VolumeAttributesClass>,
]

export const volumeAttributesClasses = ({ group }: StorageNames) =>
  defineResource({
    group,
    kind: 'VolumeAttributesClass',
    resource: 'volumeattributesclasses',
    singular: 'volumeattributesclass',
    shortNames: ['vac'],
    namespaced: false,
    versions: [
      { name: 'v1', since: '1.34', schema: VolumeAttributesClass, storage: true },
      { name: 'v1beta1', since: '1.31', schema: volumeAttributesClassIn('v1beta1'), served: false },
      { name: 'v1alpha1', since: '1.29', until: '1.34', schema: volumeAttributesClassIn('v1alpha1') },
    ],
    since: '1.29',
    strategy: mainStrategy,
    deletion: { answer: 'object' },
    columns,
  })
