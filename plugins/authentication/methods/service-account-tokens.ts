import type { JWTPayload } from 'jose'
import { type Resolved, type ServedLevel, services } from 'orch/sdk'
import { type AuthenticationSuccess, defineAuthenticator } from 'orch/sdk/identity'
import { type AccountKeys, accountKeys } from '../account-tokens/account-keys.js'
import { accountUser, credentialId } from '../account-tokens/account-user.js'
import { type BoundClaims, readBoundClaims } from '../account-tokens/bound-claims.js'
import { readLegacyClaims } from '../account-tokens/legacy-claims.js'
import { SecretTokenUse } from '../account-tokens/secret-token-use.js'
import type { AccountTokenSettings } from '../account-tokens/settings.js'
import { TokenLookup } from '../account-tokens/token-lookup.js'
import { claimedIssuer, verifySignature } from '../account-tokens/verify-signature.js'
import type { AuthenticationGates } from '../gates.js'
import type { AuthenticationNames } from '../names.js'
import { readOnce } from '../read-once.js'
import type { Method } from './method.js'

const needs = {
  caches: services.caches,
  client: services.client,
  clock: services.clock,
  logger: services.logger,
  keys: accountKeys,
}

/** Clocks of servers that share a store are assumed to differ by less than this. */
const clockSkewSeconds = 60

/**
 * Tokens of service accounts: those in Secrets, which never expire, and requested ones, which are bound to an audience,
 * a time and an object. The objects that they depend on are looked up on every request; the result of the signature
 * check is cached.
 */
export function serviceAccountTokens(
  { issuers, audiences: own, lookup: looksUp }: AccountTokenSettings,
  names: AuthenticationNames,
  level: ServedLevel,
  gates: AuthenticationGates,
): Method<typeof needs> {
  const useOf = readOnce((given: Resolved<typeof needs>) => new SecretTokenUse(lookupOf(given), given, names, level))
  const lookupOf = readOnce(({ caches, clock }: Resolved<typeof needs>) => new TokenLookup(caches, clock, names))

  async function legacy(token: string, wanted: readonly string[], given: Resolved<typeof needs>) {
    const { keys } = given
    const { verifying } = keys()
    const claims = readLegacyClaims(await verifySignature(token, verifying), names)
    const lookup = lookupOf(given)
    const bytes = Buffer.from(token)
    const problem = () =>
      problemWithKeys(keys, verifying) ?? (looksUp ? lookup.problemWithLegacy(claims, bytes) : undefined)
    await lookup.ready()
    const user = accountUser(claims.namespace, claims.accountName, claims.accountUid)
    const audiences = commonAudiences(own, wanted)
    const known = { user, audiences, auditAnnotations: { [names.legacyTokenNote]: user.name } }
    const use = useOf(given)
    if (!looksUp || !use.isTracked) return success({ ...known, problem })
    const why = problem()
    if (why !== undefined) throw new Error(why)
    const { notes, warnings } = use.track(claims)
    return success({
      ...known,
      auditAnnotations: { ...known.auditAnnotations, ...notes },
      warnings,
      problem: () => problem() ?? use.problemWith(claims),
    })
  }

  async function bound(token: string, wanted: readonly string[], given: Resolved<typeof needs>) {
    const { keys } = given
    const { verifying } = keys()
    const payload = await verifySignature(token, verifying)
    const audiences = commonAudiences(audiencesOf(payload) ?? own, wanted)
    const expiresAt = checkTimes(payload, given.clock.now())
    const claims = readBoundClaims(payload, names)
    const lookup = lookupOf(given)
    await lookup.readyFor(claims)
    if (claims.node && !claims.pod && !gates.ServiceAccountTokenNodeBindingValidation)
      throw new Error('the token is bound to a Node, which ServiceAccountTokenNodeBindingValidation does not allow')
    const { namespace, account, warnAfter = Number.POSITIVE_INFINITY } = claims
    const user = accountUser(namespace, account.name, account.uid, extraOf(claims))
    const staleSeconds = Math.floor(given.clock.now() / 1000) - warnAfter
    const stale = `subject: ${user.name}, seconds after warning threshold: ${staleSeconds}`
    return success({
      user,
      audiences,
      expiresAt,
      ...(staleSeconds > 0 ? { auditAnnotations: { [names.staleTokenNote]: stale } } : {}),
      problem: () => problemWithKeys(keys, verifying) ?? lookup.problemWithBound(claims),
    })
  }

  /** The extra fields of the user of a bound token. */
  function extraOf({ id, pod, node }: BoundClaims): Record<string, string[]> {
    const includesNode = node && (!pod || gates.ServiceAccountTokenPodNodeInfo)
    return {
      ...(id !== undefined && gates.ServiceAccountTokenJTI ? { [names.credentialIdExtra]: [credentialId(id)] } : {}),
      ...(includesNode ? { [names.nodeNameExtra]: [node.name] } : {}),
      ...(includesNode && node.uid ? { [names.nodeUidExtra]: [node.uid] } : {}),
      ...(pod ? { [names.podNameExtra]: [pod.name], [names.podUidExtra]: [pod.uid] } : {}),
    }
  }

  return {
    authenticator: defineAuthenticator({
      name: 'service-account-tokens',
      kind: 'bearer',
      audienceAware: true,
      needs,
      authenticate({ bearerToken = '', audiences }, given) {
        const issuer = claimedIssuer(bearerToken)
        if (issuer === undefined) return undefined
        if (issuer === names.legacyIssuer) return legacy(bearerToken, audiences, given)
        return issuers.includes(issuer) ? bound(bearerToken, audiences, given) : undefined
      },
    }),
    check: { name: 'service account tokens', needs, run: given => lookupOf(given).ready() },
  }
}

function success({
  problem,
  ...known
}: Omit<AuthenticationSuccess, 'isStillValid'> & { problem: () => string | undefined }): AuthenticationSuccess {
  const why = problem()
  if (why !== undefined) throw new Error(why)
  return { ...known, isStillValid: () => problem() === undefined }
}

/** Tokens of a removed key become invalid: the signature is checked again when keys change. */
const problemWithKeys = (keys: () => AccountKeys, used: AccountKeys['verifying']): string | undefined =>
  keys().verifying === used ? undefined : 'the keys of service accounts have changed'

function commonAudiences(ofToken: readonly string[], wanted: readonly string[]): readonly string[] {
  const requested = new Set(wanted)
  const common = ofToken.filter(audience => requested.has(audience))
  if (common.length === 0) throw new Error('the token is meant for other audiences')
  return common
}

function audiencesOf({ aud }: JWTPayload): readonly string[] | undefined {
  return aud === undefined ? undefined : typeof aud === 'string' ? [aud] : aud
}

/** Throws unless the token is valid now; returns when it stops being so, in ms. */
function checkTimes({ exp, nbf, iat }: JWTPayload, nowMs: number): number {
  const now = nowMs / 1000
  if (typeof exp !== 'number') throw new Error('the token has no expiration time')
  if (exp <= now) throw new Error('the token has expired')
  const begins = Math.max(typeof nbf === 'number' ? nbf : 0, typeof iat === 'number' ? iat : 0)
  if (begins > now + clockSkewSeconds) throw new Error('the token is not valid yet')
  return exp * 1000
}
