import { type CryptoKey, compactVerify, errors, type JWTPayload } from 'jose'
import type { IssuerKeys } from './issuer-keys.js'

export interface IdTokenRules {
  readonly issuer: string
  /** The token must have been issued for one of these. */
  readonly clientIds: readonly string[]
  readonly algorithms: readonly string[]
}

/** The issuer's clock may be ahead of ours by this much. */
const notBeforeLeewaySeconds = 300

/** The claims of an ID token that this issuer signed for this client and that is valid now; throws for any other. */
export async function verifyIdToken(
  token: string,
  keys: IssuerKeys,
  { issuer, clientIds, algorithms }: IdTokenRules,
  nowMs: number,
): Promise<JWTPayload & { exp: number }> {
  const payload = await verified(token, keys, algorithms)
  const { iss, aud, exp, nbf } = payload
  if (iss !== issuer) throw new Error('oidc: the token belongs to another issuer')
  const audiences = typeof aud === 'string' ? [aud] : (aud ?? [])
  if (!audiences.some(audience => clientIds.includes(audience)))
    throw new Error('oidc: the token was issued for another client')
  const now = nowMs / 1000
  if (typeof exp !== 'number' || exp <= now) throw new Error('oidc: the token has expired')
  if (typeof nbf === 'number' && nbf > now + notBeforeLeewaySeconds) throw new Error('oidc: the token is not valid yet')
  return { ...payload, exp }
}

async function verified(token: string, keys: IssuerKeys, algorithms: readonly string[]): Promise<JWTPayload> {
  const check = async (set: Awaited<ReturnType<IssuerKeys['current']>>) => {
    try {
      return await compactVerify(token, set, { algorithms: [...algorithms] })
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
      return verifyWithAny(token, error, algorithms)
    }
  }
  try {
    const { payload } = await check(await keys.current()).catch(async (error: unknown) => {
      // The issuer may have begun to use a new key.
      const fresh = error instanceof errors.JWKSNoMatchingKey ? await keys.refreshed() : undefined
      if (!fresh) throw error
      return check(fresh)
    })
    return JSON.parse(Buffer.from(payload).toString('utf8')) as JWTPayload
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError)
      throw new Error('oidc: the signature of the token is not valid')
    throw error
  }
}

/** A token that does not name its key is verified with each key that could have signed it. */
async function verifyWithAny(token: string, candidates: AsyncIterable<CryptoKey>, algorithms: readonly string[]) {
  for await (const key of candidates) {
    const result = await compactVerify(token, key, { algorithms: [...algorithms] }).catch(() => undefined)
    if (result) return result
  }
  throw new errors.JWSSignatureVerificationFailed()
}
