import type { Strategy } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import type { PersistentVolume } from './schema.js'
import { validateVolume, validateVolumeUpdate } from './validation.js'

/** Clients write metadata and spec; the status says what the binder made of them. */
export const mainStrategy = (names: StorageNames) =>
  ({
    prepareForCreate(draft) {
      // The phase is a default: admission sees none yet.
      draft.status = {}
    },
    prepareForUpdate(draft, stored) {
      draft.status = stored.status
    },
    validate: volume => validateVolume(volume, names),
    validateUpdate: (sent, stored) => validateVolumeUpdate(sent, stored, names),
    resetFields: ['status'],
    metadataChecks: { change: 0, object: 2 },
  }) satisfies Strategy<PersistentVolume>
