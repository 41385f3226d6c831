import type { JWTPayload } from 'jose'
import type { UserInfo } from 'orch/sdk'

/** Which claims map to the user, and which are required. */
export interface ClaimRules {
  readonly usernameClaim: string
  readonly usernamePrefix: string
  readonly groupsClaim: string | undefined
  readonly groupsPrefix: string
  readonly requiredClaims: Readonly<Record<string, string>>
}

const emailClaim = 'email'

/** The prefix that separates the user names of an issuer from all others; `-` means none. */
export function usernamePrefixOf(given: string | undefined, usernameClaim: string, issuer: string): string {
  if (given === '-') return ''
  if (given) return given
  return usernameClaim === emailClaim ? '' : `${issuer}#`
}

/** The user of a verified ID token; throws when a claim is missing or wrong. */
export function userOfClaims(claims: JWTPayload, rules: ClaimRules): UserInfo {
  for (const [claim, value] of Object.entries(rules.requiredClaims))
    if (claims[claim] !== value) throw new Error(`oidc: the claim "${claim}" does not have the required value`)
  const name = claims[rules.usernameClaim]
  if (typeof name !== 'string' || name === '')
    throw new Error(`oidc: the claim "${rules.usernameClaim}" contains no user name`)
  if (rules.usernameClaim === emailClaim && claims['email_verified'] !== undefined && claims['email_verified'] !== true)
    throw new Error('oidc: the email address is not verified')
  const groups = rules.groupsClaim === undefined ? [] : groupsOf(claims[rules.groupsClaim], rules.groupsClaim)
  return { name: rules.usernamePrefix + name, groups: groups.map(group => rules.groupsPrefix + group) }
}

function groupsOf(value: unknown, claim: string): readonly string[] {
  if (value === undefined || value === null) return []
  // Some issuers have a claim such as `role`, which is a single string.
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every(group => typeof group === 'string')) return value
  throw new Error(`oidc: the claim "${claim}" is neither a string nor an array of strings`)
}
