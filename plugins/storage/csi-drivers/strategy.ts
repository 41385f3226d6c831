import { isDeepStrictEqual } from 'node:util'
import type { Strategy } from 'orch/sdk'
import type { CSIDriver } from './schema.js'
import { validateDriver, validateDriverUpdate } from './validation.js'

export const mainStrategy = {
  prepareForUpdate(draft, stored) {
    const isSame =
      isDeepStrictEqual(draft.spec.tokenRequests, stored.spec.tokenRequests) &&
      draft.spec.requiresRepublish === stored.spec.requiresRepublish
    const generation = (stored.metadata?.generation ?? 0) + (isSame ? 0 : 1)
    // Drivers are born without a generation; only what node agents must notice counts.
    if (generation > 0) draft.metadata = { ...draft.metadata, generation }
  },
  validate: validateDriver,
  validateUpdate: validateDriverUpdate,
  unconditionalUpdate: false,
  metadataChecks: { change: 1, object: 0 },
} satisfies Strategy<CSIDriver>
