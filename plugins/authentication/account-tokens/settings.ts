import { parseDuration } from 'orch/sdk'
import type { AuthenticationNames } from '../names.js'
import type { AuthenticationOptions } from '../options.js'

/** How tokens of service accounts are issued and verified. */
export interface AccountTokenSettings {
  /** The issuer of new tokens. */
  readonly issuer: string
  /** Issuers whose tokens are accepted. */
  readonly issuers: readonly string[]
  /** Audiences of this server, and of tokens that are requested without any. */
  readonly audiences: readonly string[]
  /** Whether the Secret of a token must exist. Bound tokens are always looked up. */
  readonly lookup: boolean
  /** Maximum lifetime of a requested token; 0 means no limit. */
  readonly maxSeconds: number
  /** Whether tokens of automatic volumes are valid for longer than requested. */
  readonly extendsVolumeTokens: boolean
}

export function accountTokenSettings(
  options: AuthenticationOptions,
  { defaultIssuer }: AuthenticationNames,
): AccountTokenSettings {
  const [issuer = defaultIssuer, ...others] = options.serviceAccountIssuer
  const issuers = [issuer, ...others]
  return {
    issuer,
    issuers,
    audiences: options.apiAudiences.length > 0 ? options.apiAudiences : issuers,
    lookup: options.serviceAccountLookup,
    maxSeconds: parseDuration(options.serviceAccountMaxTokenExpiration) / 1000,
    extendsVolumeTokens: options.serviceAccountExtendTokenExpiration,
  }
}
