import type { JWTPayload } from 'jose'
import type { UserInfo } from 'orch/sdk'

/** Which claims make the user, and which must be there. */
export interface ClaimRules {
  readonly usernameClaim: string
  readonly usernamePrefix: string
  readonly groupsClaim: string | undefined
  readonly groupsPrefix: string
  readonly requiredClaims: Readonly<Record<string, string>>
}

const emailClaim = 'email'

/** The prefix that keeps user names of an issuer apart from all others; `-` asks for none. */
export function usernamePrefixOf(given: string | undefined, usernameClaim: string, issuer: string): string {
  if (given === '-') return ''
  if (given) return given
  return usernameClaim === emailClaim ? '' : `${issuer}#`
}

/** Who the claims of a verified ID token stand for; throws when one is missing or wrong. */
export function userOfClaims(claims: JWTPayload, rules: ClaimRules): UserInfo {
  for (const [claim, value] of Object.entries(rules.requiredClaims))
    if (claims[claim] !== value) throw new Error(`oidc: the claim "${claim}" is not as required`)
  const name = claims[rules.usernameClaim]
  if (typeof name !== 'string' || name === '')
    throw new Error(`oidc: the claim "${rules.usernameClaim}" gives no user name`)
  if (rules.usernameClaim === emailClaim && claims['email_verified'] !== undefined && claims['email_verified'] !== true)
    throw new Error('oidc: the email address is not verified')
  const groups = rules.groupsClaim === undefined ? [] : groupsOf(claims[rules.groupsClaim], rules.groupsClaim)
  return { name: rules.usernamePrefix + name, groups: groups.map(group => rules.groupsPrefix + group) }
}

function groupsOf(value: unknown, claim: string): readonly string[] {
  if (value === undefined || value === null) return []
  // Some issuers have a claim such as `role`, which is one text.
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every(group => typeof group === 'string')) return value
  throw new Error(`oidc: the claim "${claim}" is neither a string nor an array of strings`)
}
