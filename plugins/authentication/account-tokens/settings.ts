import { parseDuration } from 'orch/sdk'
import type { AuthenticationNames } from '../names.js'
import type { AuthenticationOptions } from '../options.js'

/** How tokens of service accounts are issued and verified. */
export interface AccountTokenSettings {
  /** Stands in new tokens. */
  readonly issuer: string
  /** Those whose tokens are accepted. */
  readonly issuers: readonly string[]
  /** Audiences of this server, and of tokens for which none was asked. */
  readonly audiences: readonly string[]
  /** Must the Secret of a token exist? Bound tokens are always looked up. */
  readonly lookup: boolean
  /** Longest life of a token that is asked for; 0 means no limit. */
  readonly maxSeconds: number
  /** Do tokens of automatic volumes live longer than they say? */
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
