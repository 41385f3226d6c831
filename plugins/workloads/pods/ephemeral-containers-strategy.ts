import { isDeepStrictEqual } from 'node:util'
import { type FieldError, forbiddenField, type Strategy } from 'orch/sdk'
import { dropUnservedFields, type Pod } from 'orch/sdk/core'
import { ephemeralContainersHaveOwners, mirrorPodsAreFixed } from './differences.js'
import { refuseMirrorPod } from './mirror-pods.js'
import { validateAnnotationsUpdate } from './update-validation.js'
import { validatePod } from './validation.js'

/** Only adds ephemeral containers; everything else stays as it is stored. */
export const ephemeralContainersStrategy = {
  prepareForUpdate(draft, stored, { vendor }) {
    const { ephemeralContainers } = draft.spec
    draft.spec = { ...stored.spec, ephemeralContainers }
    dropUnservedFields(draft.spec, vendor, stored.spec)
    draft.status = stored.status
    const { resourceVersion, managedFields } = draft.metadata ?? {}
    draft.metadata = { ...stored.metadata, resourceVersion }
    if (vendor.level.has(ephemeralContainersHaveOwners)) draft.metadata.managedFields = managedFields
  },
  validateUpdate(sent, stored, { vendor }) {
    const mirror = refuseMirrorPod(stored, vendor, 'static pods do not support ephemeral containers')
    if (mirror.length > 0 && vendor.level.has(mirrorPodsAreFixed)) return mirror
    return [
      ...validatePod(sent, vendor, stored),
      ...validateAnnotationsUpdate(sent, stored, vendor),
      ...checkKept(sent, stored),
    ]
  },
  metadataChecks: { change: 1, object: 1 },
} satisfies Strategy<Pod>

function checkKept(sent: Pod, stored: Pod): FieldError[] {
  const after = new Map((sent.spec.ephemeralContainers ?? []).map(container => [container.name, container]))
  return (stored.spec.ephemeralContainers ?? []).flatMap(container => {
    const found = after.get(container.name)
    if (found && isDeepStrictEqual(found, container)) return []
    return [
      forbiddenField(
        'spec.ephemeralContainers',
        `existing ephemeral containers "${container.name}" may not be ${found ? 'changed' : 'removed'}`,
      ),
    ]
  })
}
