import type { Strategy } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import type { VolumeAttachment } from './schema.js'
import { validateAttachmentUpdate, validateNewAttachment } from './validation.js'

/** Who wants a volume attached writes the spec; who attaches it writes the status. */
export const mainStrategy = (names: StorageNames) =>
  ({
    prepareForCreate(draft) {
      draft.status = { attached: false }
    },
    prepareForUpdate(draft, stored) {
      draft.status = stored.status
    },
    validate: attachment => validateNewAttachment(attachment, names),
    validateUpdate: (sent, stored) => validateAttachmentUpdate(sent, stored, names),
    resetFields: ['status'],
    unconditionalUpdate: false,
    metadataChecks: { change: 0, object: 2 },
  }) satisfies Strategy<VolumeAttachment>
