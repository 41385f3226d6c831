import { isDeepStrictEqual } from 'node:util'
import { duplicate, type FieldError, invalidValue, notSupported, type Strategy, type StrategyContext } from 'orch/sdk'
import { repeats } from 'orch/sdk/validation'
import { driversChange, tokenRequestsAreCheckedOnce } from '../differences.js'
import { checkUnchanged } from '../immutable-field.js'
import type { CSIDriver, TokenRequest } from './schema.js'

const lifecycleModes = ['Persistent', 'Ephemeral'] as const

export const validateDriver = ({ spec }: CSIDriver): FieldError[] => [
  ...checkTokenRequests(spec.tokenRequests ?? [], 'spec.tokenRequests'),
  ...(spec.volumeLifecycleModes ?? [])
    .filter(mode => !lifecycleModes.some(known => known === mode))
    .map(mode => notSupported('spec.volumeLifecycleModes', mode, lifecycleModes)),
  ...checkUpdatePeriod(spec.nodeAllocatableUpdatePeriodSeconds),
  ...(spec.serviceAccountTokenInSecrets !== undefined && (spec.tokenRequests ?? []).length === 0
    ? [
        invalidValue(
          'spec.serviceAccountTokenInSecrets',
          spec.serviceAccountTokenInSecrets,
          'serviceAccountTokenInSecrets should only be set if tokenRequests is set',
        ),
      ]
    : []),
]

const minUpdatePeriodSeconds = 10
const checkUpdatePeriod = (seconds = minUpdatePeriodSeconds): FieldError[] =>
  seconds >= minUpdatePeriodSeconds
    ? []
    : [
        invalidValue(
          'spec.nodeAllocatableUpdatePeriodSeconds',
          seconds,
          `must be greater than or equal to ${minUpdatePeriodSeconds} seconds`,
        ),
      ]

const minTokenSeconds = 600
const maxTokenSeconds = 2 ** 32
/** One token per audience, for a bearable time. */
function checkTokenRequests(requests: readonly TokenRequest[], field: string): FieldError[] {
  const isRepeat = repeats(requests.map(({ audience }) => audience))
  return requests.flatMap(({ audience, expirationSeconds: seconds = minTokenSeconds }, i) => {
    if (isRepeat[i]) return [duplicate(`${field}[${i}].audience`, audience)]
    const at = `${field}[${i}].expirationSeconds`
    if (seconds < minTokenSeconds) return [invalidValue(at, seconds, 'may not specify a duration less than 10 minutes')]
    return seconds > maxTokenSeconds
      ? [invalidValue(at, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : []
  })
}

/** Fields about attaching and mounting are immutable, because volumes may be in use. */
export const validateDriverUpdate = (
  sent: CSIDriver,
  stored: CSIDriver,
  { vendor: { level } }: Pick<StrategyContext, 'vendor'>,
): FieldError[] => [
  ...validateDriver(sent),
  // The misspelled path is that of the reference.
  ...checkUnchanged(sent.spec.attachRequired, stored.spec.attachRequired, 'spec.attachedRequired'),
  ...(level.has(driversChange)
    ? []
    : [
        ...checkUnchanged(sent.spec.fsGroupPolicy, stored.spec.fsGroupPolicy, 'spec.fsGroupPolicy'),
        ...checkUnchanged(sent.spec.podInfoOnMount, stored.spec.podInfoOnMount, 'spec.podInfoOnMount'),
      ]),
  ...checkUnchanged(sent.spec.volumeLifecycleModes, stored.spec.volumeLifecycleModes, 'spec.volumeLifecycleModes'),
  ...(level.has(tokenRequestsAreCheckedOnce)
    ? []
    : checkTokenRequests(sent.spec.tokenRequests ?? [], 'spec.tokenRequests')),
]

/** Before `driversChange`, only changes of these fields increase the generation. */
const generationFields = ['tokenRequests', 'requiresRepublish', 'seLinuxMount'] as const

export const mainStrategy = (tokensInSecrets: boolean) =>
  ({
    prepareForUpdate(draft, stored, { vendor }) {
      const isSame = vendor.level.has(driversChange)
        ? isDeepStrictEqual(draft.spec, stored.spec)
        : generationFields.every(field => isDeepStrictEqual(draft.spec[field], stored.spec[field]))
      const generation = (stored.metadata?.generation ?? 0) + (isSame ? 0 : 1)
      // A new driver has no generation.
      if (generation > 0) draft.metadata = { ...draft.metadata, generation }
    },
    validate: validateDriver,
    validateUpdate: validateDriverUpdate,
    unconditionalUpdate: false,
    metadataChecks: { change: 1, object: 0 },
    // Tokens in the attributes of a volume may be logged.
    warnings: ({ spec }, stored) =>
      tokensInSecrets &&
      (spec.tokenRequests ?? []).length > 0 &&
      spec.serviceAccountTokenInSecrets === undefined &&
      !isDeepStrictEqual(spec.tokenRequests, stored?.spec.tokenRequests)
        ? ['spec.serviceAccountTokenInSecrets: should be set, so that tokens are passed as secrets']
        : [],
  }) satisfies Strategy<CSIDriver>
