import type { Clock, Logger, ServedLevel, Stored } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import type { Secret } from 'orch/sdk/core'
import { invalidatedTokens, trackedTokens } from '../differences.js'
import type { AuthenticationNames } from '../names.js'
import type { LegacyClaims } from './legacy-claims.js'
import type { TokenLookup } from './token-lookup.js'

const dayMs = 24 * 3_600_000
/** A day in UTC, in the format of the labels. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const automaticWarning =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.'

/** Labels Secrets with the day when their tokens were last used, and rejects those that were marked as invalid. */
export class SecretTokenUse {
  readonly isTracked: boolean
  readonly #lookup: TokenLookup
  readonly #client: Client
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #names: AuthenticationNames
  readonly #marksInvalid: boolean
  /** Secrets that are being labelled, so that many requests at once write once. */
  readonly #labelling = new Set<string>()

  constructor(
    lookup: TokenLookup,
    { client, clock, logger }: { readonly client: Client; readonly clock: Clock; readonly logger: Logger },
    names: AuthenticationNames,
    level: ServedLevel,
  ) {
    this.#lookup = lookup
    this.#client = client
    this.#clock = clock
    this.#logger = logger
    this.#names = names
    this.isTracked = level.has(trackedTokens)
    this.#marksInvalid = level.has(invalidatedTokens)
  }

  /** Records the use of a verified token. Throws if it was marked as invalid. */
  track(claims: LegacyClaims): { notes: Record<string, string>; warnings: readonly string[] } {
    const { namespace, secretName } = claims
    const secret = this.#lookup.secret(namespace, secretName)
    if (secret) this.#label(secret)
    const why = this.problemWith(claims)
    if (why !== undefined) throw new Error(why)
    const isAutomatic = this.#lookup.listsSecret(claims)
    const { automaticSecretNote, manualSecretNote } = this.#names
    return {
      notes: { [isAutomatic ? automaticSecretNote : manualSecretNote]: secretName },
      warnings: isAutomatic ? [automaticWarning] : [],
    }
  }

  problemWith({ namespace, secretName, accountName }: LegacyClaims): string | undefined {
    const { invalidSinceLabel } = this.#names
    if (!this.#marksInvalid || !this.#lookup.secret(namespace, secretName)?.metadata.labels?.[invalidSinceLabel])
      return undefined
    return `the token in secret ${namespace}/${secretName} for service account ${namespace}/${accountName} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`
  }

  #label({ metadata }: Stored<Secret>): void {
    const { namespace = '', name = '', uid = '', labels = {} } = metadata
    const { lastUsedLabel, secrets } = this.#names
    const now = this.#clock.now()
    const lastUsed = labels[lastUsedLabel]
    // The clock of another server may be ahead of this one.
    if (lastUsed === dayOf(now) || lastUsed === dayOf(now + dayMs) || this.#labelling.has(uid)) return
    this.#labelling.add(uid)
    const patch = { metadata: { uid, labels: { [lastUsedLabel]: dayOf(now) } } }
    unlessLost(this.#client.resource(secrets).in(namespace).patch(name, patch))
      .catch((error: Error) =>
        this.#logger.warn('could not label a Secret with the day its token was last used', { error: error.message }),
      )
      .finally(() => this.#labelling.delete(uid))
  }
}
