import type { Strategy } from 'orch/sdk'
import type { Container, Pod } from 'orch/sdk/core'
import { podResourcesCanBeResized } from './differences.js'
import { validateResize } from './resize-validation.js'

/** Changes the resources of containers and of the Pod; all other fields of the request are ignored. */
export const resizeStrategy = {
  prepareForUpdate(draft, stored, { vendor }) {
    const { resourceVersion, managedFields } = draft.metadata ?? {}
    const { spec: sent } = draft
    const lists = ['containers', 'initContainers'] as const
    const isSameLength = lists.every(list => (sent[list] ?? []).length === (stored.spec[list] ?? []).length)
    // Validation rejects added, removed and reordered containers.
    if (!isSameLength) return
    draft.spec = {
      ...stored.spec,
      containers: resized(sent.containers ?? [], stored.spec.containers ?? []),
      ...(sent.initContainers
        ? { initContainers: resized(sent.initContainers, stored.spec.initContainers ?? []) }
        : {}),
    }
    if (vendor.level.has(podResourcesCanBeResized)) {
      if (sent.resources) draft.spec.resources = sent.resources
      else delete draft.spec.resources
    }
    draft.status = stored.status
    draft.metadata = { ...stored.metadata, resourceVersion, managedFields }
  },
  validateUpdate: (sent, stored, { vendor }) => validateResize(sent, stored, vendor),
  metadataChecks: { change: 1, object: 1 },
} satisfies Strategy<Pod>

/** The stored containers with the sent resources; the sent containers if their names differ. */
function resized(sent: readonly Container[], stored: readonly Container[]): Container[] {
  if (sent.some(({ name }, i) => name !== stored[i]?.name)) return [...sent]
  return stored.map((container, i) => {
    const { resources, resizePolicy } = sent[i]!
    const { resizePolicy: _, ...rest } = container
    return { ...rest, ...(resources ? { resources } : {}), ...(resizePolicy ? { resizePolicy } : {}) } as Container
  })
}
