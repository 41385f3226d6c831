import type { Strategy } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import type { StorageOptions } from '../options.js'
import { settleDataSources } from './data-sources.js'
import type { PersistentVolumeClaim } from './schema.js'
import { validateClaim, validateClaimUpdate } from './validation.js'

/** Clients write metadata and spec; the status says what the binder made of them. */
export const mainStrategy = (names: StorageNames, options: StorageOptions) =>
  ({
    prepareForCreate(draft) {
      draft.status = { phase: 'Pending' }
      settleDataSources((draft.spec ??= {}), undefined, names, options)
    },
    prepareForUpdate(draft, stored) {
      draft.status = stored.status
      settleDataSources((draft.spec ??= {}), stored.spec, names, options)
    },
    validate: validateClaim,
    validateUpdate: (sent, stored) => validateClaimUpdate(sent, stored, names),
    resetFields: ['status'],
    metadataChecks: { change: 1, object: 2 },
  }) satisfies Strategy<PersistentVolumeClaim>
