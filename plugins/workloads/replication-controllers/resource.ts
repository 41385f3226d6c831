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
  containerNames,
  defaultPodSpec,
  imageNames,
  labelsText,
  ownerWarnings,
  preparePodTemplate,
  scaleSubresource,
  templateWarnings,
} from 'orch/sdk/core'
import { nameIsDnsSubdomain } from 'orch/sdk/validation'
import { controllerPrefixesAreFree, controllersAreCheckedOnce } from './differences.js'
import { ReplicationController } from './schema.js'
import {
  validateReplicationController,
  validateReplicationControllerStatus,
  validateReplicationControllerUpdate,
} from './validation.js'

type Cells = Column<ReplicationController>
const count = (name: string, description: string, cell: Cells['cell']): Cells => ({
  name,
  type: 'integer',
  description,
  cell,
})
const wide = (name: string, description: string, cell: Cells['cell']): Cells => ({
  name,
  type: 'string',
  description,
  priority: 1,
  cell,
})

const columns: readonly Cells[] = [
  nameColumn as Cells,
  count('Desired', 'Desired number of Pods.', ({ spec }) => spec?.replicas ?? 0),
  count('Current', 'Current number of Pods.', ({ status }) => status?.replicas ?? 0),
  count('Ready', 'Number of ready Pods.', ({ status }) => status?.readyReplicas ?? 0),
  ageColumn as Cells,
  wide('Containers', 'Names of the containers.', ({ spec }) => containerNames(spec?.template?.spec)),
  wide('Images', 'Their images.', ({ spec }) => imageNames(spec?.template?.spec)),
  wide('Selector', 'Labels of the Pods.', ({ spec }) => labelsText(spec?.selector)),
]

const mainStrategy = strategyForSpec<ReplicationController>({
  newStatus: () => ({ replicas: 0 }),
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
  },
  validate: (controller, { vendor }) => validateReplicationController(controller, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateReplicationControllerUpdate(sent, vendor, stored),
  validateLimits: checkTemplateLimits((_, stored, { vendor }) =>
    stored && !vendor.level.has(controllersAreCheckedOnce) ? 2 : 1,
  ),
  metadataChecks: level => ({ change: 1, object: level.has(controllersAreCheckedOnce) ? 0 : 1 }),
  warnings: ({ metadata, spec }, stored, { vendor }) => [
    ...ownerWarnings(metadata, stored, vendor),
    ...templateWarnings(spec?.template, 'template', { sent: metadata, stored: stored?.metadata, vendor }),
  ],
})

const statusStrategy = strategyForStatus<ReplicationController>({
  validateUpdate: validateReplicationControllerStatus,
})

/** Selector and labels of a controller default to the labels of its template. */
function fillReplicationController(
  controller: ReplicationController,
  level: ServedLevel,
  isEnabled?: IsGateEnabled,
): void {
  const template = controller.spec?.template
  if (template?.spec) defaultPodSpec(template.spec, level, isEnabled)
  const labels = template?.metadata?.labels
  if (controller.spec === undefined || labels === undefined) return
  if (Object.keys(controller.spec.selector ?? {}).length === 0) controller.spec.selector = { ...labels }
  if (Object.keys(controller.metadata?.labels ?? {}).length === 0)
    controller.metadata = { ...controller.metadata, labels: { ...labels } }
}

const selectorText = ({ spec }: ReplicationController) =>
  Object.keys(spec?.selector ?? {})
    .sort()
    .map(key => `${key}=${spec?.selector?.[key]}`)
    .join(',')

export const replicationControllers = (level: ServedLevel) =>
  defineResource({
    group: '',
    kind: 'ReplicationController',
    resource: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: ['all'],
    namespaced: true,
    versions: [{ name: 'v1', schema: ReplicationController, defaults: fillReplicationController }],
    strategy: mainStrategy,
    validateName: (name, isPrefix) =>
      isPrefix && level.has(controllerPrefixesAreFree) ? [] : nameIsDnsSubdomain(name, isPrefix),
    // The type is older than owner references: its clients expect that the Pods remain.
    deletion: { defaultPropagation: 'Orphan' },
    subresources: {
      status: { kind: 'update', strategy: statusStrategy },
      scale: scaleSubresource({ group: '', resource: 'replicationcontrollers' }, selectorText, {
        unreadScale: { group: 'autoscaling', resource: 'replicationcontrollers/scale' },
      }),
    },
    selectableFields: {
      'status.replicas': ({ status }: ReplicationController) => String(status?.replicas ?? 0),
    },
    columns,
  })
