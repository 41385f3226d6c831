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
  claimFractionWarnings,
  claimWarnings,
  defaultPodSpec,
  preparePodTemplate,
  roundResourceList,
  scaleSubresource,
  selectorText,
  templateWarnings,
} from 'orch/sdk/core'
import { checkedLikeNew, checkedServiceNames, claimRetention } from '../differences.js'
import { containerColumns, textColumn } from '../template-columns.js'
import { StatefulSet } from './schema.js'
import {
  checksPodTemplate,
  validateStatefulSet,
  validateStatefulSetStatus,
  validateStatefulSetUpdate,
} from './validation.js'

export const mainStrategy = strategyForSpec<StatefulSet>({
  newStatus: () => ({ replicas: 0 }),
  prepareForCreate(draft, { vendor }) {
    if (!vendor.level.has(claimRetention)) dropRetentionPolicy(draft)
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    if (!vendor.level.has(claimRetention) && !stored.spec?.persistentVolumeClaimRetentionPolicy)
      dropRetentionPolicy(draft)
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
  },
  validate: (set, { vendor }) => validateStatefulSet(set, vendor),
  validateUpdate: validateStatefulSetUpdate,
  validateLimits: checkTemplateLimits((...write) => (checksPodTemplate(...write) ? 1 : 0)),
  metadataChecks: level => ({ change: 1, object: level.has(checkedLikeNew) ? 1 : 0 }),
  warnings: ({ metadata, spec }, stored, { vendor }) => [
    ...((spec?.revisionHistoryLimit ?? 0) < 0 && vendor.level.has(checkedServiceNames)
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
    ...templateWarnings(spec?.template, 'spec.template', { sent: metadata, stored: stored?.metadata, vendor }),
    ...(vendor.level.has(claimWarnings) ? (spec?.volumeClaimTemplates ?? []) : []).flatMap((claim, i) =>
      claimFractionWarnings(claim.spec ?? {}, `spec.volumeClaimTemplates[${i}]`),
    ),
  ],
})

/** At versions that cannot delete claims, the field is dropped. */
function dropRetentionPolicy({ spec }: StatefulSet): void {
  delete spec?.persistentVolumeClaimRetentionPolicy
}

const statusStrategy = strategyForStatus<StatefulSet>({
  validateUpdate: validateStatefulSetStatus,
  // The template may have been stored unchecked.
  validateLimits: checkTemplateLimits(() => 0),
})

export function fillStatefulSet({ spec }: StatefulSet, level: ServedLevel, isEnabled?: IsGateEnabled): void {
  if (!spec) return
  const podSpec = spec.template?.spec
  const hasContainers = podSpec?.containers != null
  if (podSpec) defaultPodSpec(podSpec, level, isEnabled)
  // Who sends an empty list owns it, who sends none does not.
  if (podSpec && !hasContainers) Object.assign(podSpec, { containers: null })
  for (const claim of spec.volumeClaimTemplates ?? []) {
    Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' })
    roundResourceList(claim.spec?.resources?.limits)
    roundResourceList(claim.spec?.resources?.requests)
  }
  spec.updateStrategy ??= {}
  const { updateStrategy } = spec
  if (!updateStrategy.type) {
    updateStrategy.type = 'RollingUpdate'
    updateStrategy.rollingUpdate ??= {}
  }
  if (updateStrategy.type === 'RollingUpdate' && updateStrategy.rollingUpdate)
    updateStrategy.rollingUpdate.partition ??= 0
}

const columns = [
  nameColumn,
  textColumn(
    'Ready',
    'How many of the desired Pods are ready.',
    ({ spec, status }: StatefulSet) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  ),
  ageColumn,
  ...containerColumns,
] as readonly Column<never>[]
const subject = { group: 'apps', resource: 'statefulsets' }

export const statefulSets = defineResource({
  group: 'apps',
  kind: 'StatefulSet',
  resource: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', schema: StatefulSet, defaults: fillStatefulSet }],
  strategy: mainStrategy,
  subresources: {
    status: { kind: 'update', strategy: statusStrategy },
    scale: scaleSubresource(subject, ({ spec }: StatefulSet) => selectorText(spec?.selector), { unreadScale: subject }),
  },
  columns,
})
