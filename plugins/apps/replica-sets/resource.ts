import {
  ageColumn,
  type Column,
  defineResource,
  type IsGateEnabled,
  nameColumn,
  type ServedLevel,
  strategyForSpec,
  strategyForStatus,
} from 'orch/sdk'
import {
  checkTemplateLimits,
  defaultPodSpec,
  ownerWarnings,
  preparePodTemplate,
  scaleSubresource,
  selectorText,
  templateWarnings,
} from 'orch/sdk/core'
import { repeatedErrors } from '../differences.js'
import { checkSameSelector, tryMatcher } from '../selector-rules.js'
import { containerColumns, countColumn, selectorColumn } from '../template-columns.js'
import { ReplicaSet } from './schema.js'
import { validateReplicaSet, validateReplicaSetStatus } from './validation.js'

export const mainStrategy = strategyForSpec<ReplicaSet>({
  newStatus: () => ({ replicas: 0 }),
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
  },
  validate: (set, { vendor }) => validateReplicaSet(set, vendor),
  validateUpdate: (sent, stored, { vendor }) => [
    ...validateReplicaSet(sent, vendor, stored),
    ...(vendor.level.has(repeatedErrors) ? validateReplicaSet(sent, vendor, stored) : []),
    ...checkSameSelector(sent, stored),
  ],
  validateLimits: checkTemplateLimits(({ spec }, stored, { vendor }) => {
    if (!tryMatcher(spec?.selector)) return 0
    return stored && vendor.level.has(repeatedErrors) ? 2 : 1
  }),
  metadataChecks: level => ({ change: 1, object: level.has(repeatedErrors) ? 1 : 0 }),
  warnings: ({ metadata, spec }, stored, { vendor }) => [
    ...ownerWarnings(metadata, stored, vendor),
    ...templateWarnings(spec?.template, 'spec.template', { sent: metadata, stored: stored?.metadata, vendor }),
  ],
})

const statusStrategy = strategyForStatus<ReplicaSet>({
  validateUpdate: validateReplicaSetStatus,
})

const columns = [
  nameColumn,
  countColumn('Desired', 'The desired number of Pods.', ({ spec }) => spec?.replicas ?? 0),
  countColumn('Current', 'How many there are.', ({ status }) => status?.replicas ?? 0),
  countColumn('Ready', 'How many of them are ready.', ({ status }) => status?.readyReplicas ?? 0),
  ageColumn,
  ...containerColumns,
  selectorColumn,
] as readonly Column<never>[]

export const replicaSets = defineResource({
  group: 'apps',
  kind: 'ReplicaSet',
  resource: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  versions: [
    {
      name: 'v1',
      schema: ReplicaSet,
      defaults({ spec }: ReplicaSet, level: ServedLevel, isEnabled?: IsGateEnabled) {
        if (spec?.template?.spec) defaultPodSpec(spec.template.spec, level, isEnabled)
      },
    },
  ],
  strategy: mainStrategy,
  subresources: {
    status: { kind: 'update', strategy: statusStrategy },
    scale: scaleSubresource({ group: 'apps', resource: 'replicasets' }, ({ spec }: ReplicaSet) =>
      selectorText(spec?.selector),
    ),
  },
  columns,
})
