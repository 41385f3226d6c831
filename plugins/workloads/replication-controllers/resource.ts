import { defineResource } from 'orch/sdk'
import { defaultPodSpec, scaleSubresource } from 'orch/sdk/core'
import { columns } from './columns.js'
import { ReplicationController } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

/** A controller that says nothing else selects, and is labelled like, the Pods it makes. */
function fillReplicationController(controller: ReplicationController): void {
  const template = controller.spec?.template
  if (template?.spec) defaultPodSpec(template.spec)
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

export const replicationControllers = defineResource({
  group: '',
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', schema: ReplicationController, defaults: fillReplicationController }],
  strategy: mainStrategy,
  // Older than owner references: its clients expect the Pods to stay.
  deletion: { defaultPropagation: 'Orphan' },
  subresources: {
    status: { kind: 'update', strategy: statusStrategy },
    scale: scaleSubresource({ group: '', resource: 'replicationcontrollers' }, selectorText),
  },
  selectableFields: {
    'status.replicas': ({ status }: ReplicationController) => String(status?.replicas ?? 0),
  },
  columns,
})
