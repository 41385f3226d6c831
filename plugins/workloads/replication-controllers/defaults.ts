import { defaultPodSpec } from '../pod-spec/defaults.js'
import type { ReplicationController } from './schema.js'

/** A controller that says nothing else selects, and is labelled like, the Pods it makes. */
export function fillReplicationController(controller: ReplicationController): void {
  const template = controller.spec?.template
  if (template?.spec) defaultPodSpec(template.spec)
  const labels = template?.metadata?.labels
  if (controller.spec === undefined || labels === undefined) return
  if (Object.keys(controller.spec.selector ?? {}).length === 0) controller.spec.selector = { ...labels }
  if (Object.keys(controller.metadata?.labels ?? {}).length === 0)
    controller.metadata = { ...controller.metadata, labels: { ...labels } }
}
