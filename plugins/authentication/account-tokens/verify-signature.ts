import { compactVerify, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import type { VerificationKey } from './signing-keys.js'

/** The unverified issuer of a token, to decide which method verifies it. Undefined if it is not a JWT. */
export function claimedIssuer(token: string): string | undefined {
  // A cheap check first: most tokens that are not JWTs have no dots.
  if (token.split('.').length !== 3) return undefined
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/**
 * The claims of a token that one of the keys signed; throws for any other. Each key is used with its own algorithm,
 * whatever the token claims, and keys inside the token are ignored.
 */
export async function verifySignature(token: string, keys: readonly VerificationKey[]): Promise<JWTPayload> {
  const { kid } = decodeProtectedHeader(token)
  const named = keys.filter(({ id }) => id === kid)
  // Tokens of other signers may name the key differently, or not at all.
  for (const { key, algorithm } of named.length > 0 ? named : keys) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [algorithm] })
      return JSON.parse(Buffer.from(payload).toString('utf8')) as JWTPayload
    } catch {
      // The reason would be useful only to an attacker.
    }
  }
  throw new Error('the signature of the token is not valid')
}
