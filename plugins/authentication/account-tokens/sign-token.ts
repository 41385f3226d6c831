import { type JWTPayload, SignJWT } from 'jose'
import type { SigningKey } from './signing-keys.js'

/** A signed JWT with these claims. The header names the key, so that verifiers elsewhere find it. */
export function signToken(claims: JWTPayload, { key, algorithm, id }: SigningKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: id }).sign(key)
}
