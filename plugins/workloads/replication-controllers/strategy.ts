import { isDeepStrictEqual } from 'node:util'
import type { Strategy } from 'orch/sdk'
import { dropFormerAnnotations } from '../pod-spec/former-annotations.js'
import { podWarnings } from '../pod-spec/pod-warnings.js'
import { dropUnservedFields } from '../pod-spec/unserved-fields.js'
import type { ReplicationController } from './schema.js'
import {
  validateReplicationController,
  validateReplicationControllerStatus,
  validateReplicationControllerUpdate,
} from './validation.js'

export const mainStrategy = {
  prepareForCreate(draft, { vendor }) {
    dropFormerAnnotations(draft.spec?.template ?? {}, vendor)
    dropUnservedFields(draft.spec?.template?.spec)
    draft.status = { replicas: 0 }
    draft.metadata = { ...draft.metadata, generation: 1 }
  },
  prepareForUpdate(draft, stored, { vendor }) {
    dropFormerAnnotations(draft.spec?.template ?? {}, vendor)
    dropUnservedFields(draft.spec?.template?.spec, stored.spec?.template?.spec)
    draft.status = stored.status
    const isChanged = !isDeepStrictEqual(draft.spec, stored.spec)
    draft.metadata = { ...draft.metadata, generation: (stored.metadata?.generation ?? 0) + (isChanged ? 1 : 0) }
  },
  validate: (controller, { vendor }) => validateReplicationController(controller, vendor),
  validateUpdate: (controller, _, { vendor }) => validateReplicationControllerUpdate(controller, vendor),
  /** Who changes something else than the template has been told before. */
  warnings: ({ metadata, spec }, stored, { vendor }) =>
    metadata?.generation === stored?.metadata?.generation ? [] : podWarnings(spec?.template ?? {}, vendor, 'template.'),
  resetFields: ['status'],
} satisfies Strategy<ReplicationController>

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: validateReplicationControllerStatus,
  resetFields: ['spec'],
} satisfies Strategy<ReplicationController>
