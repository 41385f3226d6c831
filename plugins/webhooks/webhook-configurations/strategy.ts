import { isDeepStrictEqual } from 'node:util'
import type { ObjectMeta, Strategy } from 'orch/sdk'
import { validateConfiguration, validateConfigurationUpdate, type WebhookConfiguration } from './validation.js'

/** What the two kinds have in common; their webhooks differ in one optional field. */
type AnyConfiguration = WebhookConfiguration & { metadata?: ObjectMeta }

export const mainStrategy = {
  prepareForCreate(draft) {
    draft.metadata = { ...draft.metadata, generation: 1 }
  },
  prepareForUpdate(draft, stored) {
    const isChanged = !isDeepStrictEqual(draft.webhooks ?? [], stored.webhooks ?? [])
    draft.metadata = { ...draft.metadata, generation: (stored.metadata?.generation ?? 0) + (isChanged ? 1 : 0) }
  },
  validate: (configuration, { requestVersion }) => validateConfiguration(configuration, requestVersion),
  validateUpdate: (configuration, stored, { requestVersion }) =>
    validateConfigurationUpdate(configuration, stored, requestVersion),
  unconditionalUpdate: false,
  metadataChecks: { change: 0, object: 1 },
} satisfies Strategy<AnyConfiguration>
