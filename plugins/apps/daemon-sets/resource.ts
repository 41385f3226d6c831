import { ageColumn, type Column, defineResource, type IsGateEnabled, nameColumn, type ServedLevel } from 'orch/sdk'
import { defaultPodSpec, labelsText } from 'orch/sdk/core'
import { withCanonicalNumber } from '../number-annotations.js'
import { containerColumns, countColumn, selectorColumn, textColumn } from '../template-columns.js'
import { DaemonSet, templateGeneration } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

export function fillDaemonSet(set: DaemonSet, level: ServedLevel, isEnabled?: IsGateEnabled): void {
  const { spec } = set
  // The annotation has a default, so that every writer of a set also owns it.
  const metadata = { ...set.metadata, annotations: { [templateGeneration]: '0', ...set.metadata?.annotations } }
  set.metadata = withCanonicalNumber(metadata, templateGeneration)
  if (spec?.template?.spec) defaultPodSpec(spec.template.spec, level, isEnabled)
  const { updateStrategy } = spec ?? {}
  if (updateStrategy?.type !== 'RollingUpdate') return
  updateStrategy.rollingUpdate ??= {}
  updateStrategy.rollingUpdate.maxUnavailable ??= 1
  updateStrategy.rollingUpdate.maxSurge ??= 0
}

const columns = [
  nameColumn,
  countColumn('Desired', 'How many nodes should run a Pod.', ({ status }) => status?.desiredNumberScheduled ?? 0),
  countColumn('Current', 'How many of them run one.', ({ status }) => status?.currentNumberScheduled ?? 0),
  countColumn('Ready', 'How many Pods are ready.', ({ status }) => status?.numberReady ?? 0),
  countColumn(
    'Up-to-date',
    'How many are of the current template.',
    ({ status }) => status?.updatedNumberScheduled ?? 0,
  ),
  countColumn('Available', 'How many have been ready long enough.', ({ status }) => status?.numberAvailable ?? 0),
  textColumn('Node Selector', 'Labels of the nodes.', ({ spec }) => labelsText(spec?.template?.spec?.nodeSelector)),
  ageColumn,
  ...containerColumns,
  selectorColumn,
] as readonly Column<never>[]

export const daemonSets = defineResource({
  group: 'apps',
  kind: 'DaemonSet',
  resource: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', schema: DaemonSet, defaults: fillDaemonSet }],
  strategy: mainStrategy,
  subresources: { status: { kind: 'update', strategy: statusStrategy } },
  columns,
})
