import { isDeepStrictEqual } from 'node:util'
import { duplicate, type FieldError, notSupported, repeats, type Strategy } from 'orch/sdk'
import { checkUnchanged } from '../immutable-field.js'
import type { CSIDriver, TokenRequest } from './schema.js'

const lifecycleModes = ['Persistent', 'Ephemeral'] as const

export const validateDriver = ({ spec }: CSIDriver): FieldError[] => [
  ...checkTokenRequests(spec.tokenRequests ?? [], 'spec.tokenRequests'),
  ...(spec.volumeLifecycleModes ?? [])
    .filter(mode => !lifecycleModes.some(known => known === mode))
    .map(mode => notSupported('spec.volumeLifecycleModes', mode, lifecycleModes)),
]

/** One token per audience. */
function checkTokenRequests(requests: readonly TokenRequest[], field: string): FieldError[] {
  const isRepeat = repeats(requests.map(({ audience }) => audience))
  return requests.flatMap(({ audience }, i) => (isRepeat[i] ? [duplicate(`${field}[${i}].audience`, audience)] : []))
}

/** How volumes of the driver are attached and mounted stays, because some are. */
export const validateDriverUpdate = (sent: CSIDriver, stored: CSIDriver): FieldError[] => [
  ...validateDriver(sent),
  // Not a typing error of ours: clients know the path like this.
  ...checkUnchanged(sent.spec.attachRequired, stored.spec.attachRequired, 'spec.attachedRequired'),
  ...checkUnchanged(sent.spec.fsGroupPolicy, stored.spec.fsGroupPolicy, 'spec.fsGroupPolicy'),
  ...checkUnchanged(sent.spec.podInfoOnMount, stored.spec.podInfoOnMount, 'spec.podInfoOnMount'),
  ...checkUnchanged(sent.spec.volumeLifecycleModes, stored.spec.volumeLifecycleModes, 'spec.volumeLifecycleModes'),
]

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
