import { isDeepStrictEqual } from 'node:util'
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
import { checkSameSelector, tryMatcher } from '../selector-rules.js'
import { containerColumns, looseCountColumn, selectorColumn, textColumn } from '../template-columns.js'
import { fillRollback, keepRollback, requireRollback } from './rollback.js'
import { Deployment } from './schema.js'
import { validateDeployment, validateDeploymentStatus } from './validation.js'

export const mainStrategy = strategyForSpec<Deployment>({
  newStatus: () => ({}),
  prepareForCreate(draft, { vendor }) {
    requireRollback(draft)
    draft.metadata = { ...draft.metadata, generation: 1 }
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    requireRollback(draft)
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
    // Annotations are copied to replica sets, so changing them changes the desired state.
    if (isDeepStrictEqual(draft.spec, stored.spec) && isDeepStrictEqual(annotationsOf(draft), annotationsOf(stored)))
      return
    draft.metadata = { ...draft.metadata, generation: (stored.metadata?.generation ?? 0) + 1 }
  },
  validate: (deployment, { vendor }) => validateDeployment(deployment, vendor),
  validateUpdate: (sent, stored, { vendor }) => [
    ...validateDeployment(sent, vendor, stored),
    ...checkSameSelector(sent, stored),
  ],
  validateLimits: checkTemplateLimits(({ spec }) => (tryMatcher(spec?.selector) ? 1 : 0)),
  warnings: ({ metadata, spec }, stored, { vendor }) => [
    ...ownerWarnings(metadata, stored, vendor),
    ...templateWarnings(spec?.template, 'spec.template', { sent: metadata, stored: stored?.metadata, vendor }),
  ],
  metadataChecks: { change: 1, object: 0 },
})

const annotationsOf = ({ metadata }: Deployment) => metadata?.annotations ?? {}

export const statusStrategy = strategyForStatus<Deployment>({
  prepareForUpdate(draft, stored) {
    const { labels: _, ...metadata } = draft.metadata ?? {}
    requireRollback(draft)
    draft.metadata = stored.metadata?.labels ? { ...metadata, labels: stored.metadata.labels } : metadata
    keepRollback(draft, stored)
  },
  validateUpdate: validateDeploymentStatus,
  resetFields: ['metadata.labels'],
})

/** A quarter of the Pods, by default. */
const quarter = '25%'

export function fillDeployment(deployment: Deployment, level: ServedLevel, isEnabled?: IsGateEnabled): void {
  fillRollback(deployment)
  const { spec } = deployment
  if (spec?.template?.spec) defaultPodSpec(spec.template.spec, level, isEnabled)
  const { strategy } = spec ?? {}
  if (strategy?.type !== 'RollingUpdate') return
  strategy.rollingUpdate ??= {}
  strategy.rollingUpdate.maxUnavailable ??= quarter
  strategy.rollingUpdate.maxSurge ??= quarter
}

const columns = [
  nameColumn,
  textColumn(
    'Ready',
    'How many of the desired Pods are ready.',
    ({ spec, status }: Deployment) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
  ),
  looseCountColumn('Up-to-date', 'How many are of the current template.', ({ status }) => status?.updatedReplicas ?? 0),
  looseCountColumn(
    'Available',
    'How many have been ready long enough.',
    ({ status }) => status?.availableReplicas ?? 0,
  ),
  ageColumn,
  ...containerColumns,
  selectorColumn,
] as readonly Column<never>[]

export const deployments = defineResource({
  group: 'apps',
  kind: 'Deployment',
  resource: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', schema: Deployment, defaults: fillDeployment }],
  // The strategy counts generations itself, because annotations count as well.
  generation: false,
  strategy: mainStrategy,
  subresources: {
    status: { kind: 'update', strategy: statusStrategy },
    scale: scaleSubresource({ group: 'apps', resource: 'deployments' }, ({ spec }: Deployment) =>
      selectorText(spec?.selector),
    ),
  },
  columns,
})
