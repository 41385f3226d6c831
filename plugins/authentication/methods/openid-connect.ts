import { services } from 'orch/sdk'
import { defineAuthenticator } from 'orch/sdk/identity'
import { claimedIssuer } from '../account-tokens/verify-signature.js'
import { type ClaimRules, usernamePrefixOf, userOfClaims } from '../openid-connect/claims-user.js'
import { openIdClient } from '../openid-connect/openid-client.js'
import { verifyIdToken } from '../openid-connect/verify-id-token.js'
import type { AuthenticationOptions } from '../options.js'
import type { Method } from './method.js'

const needs = { clock: services.clock, client: openIdClient }

/** ID tokens of one OpenID Connect issuer, verified with its keys and without a request for each token. */
export function openIdConnect(options: AuthenticationOptions, issuer: string): Method<typeof needs> {
  const rules: ClaimRules = {
    usernameClaim: options.oidcUsernameClaim,
    usernamePrefix: usernamePrefixOf(options.oidcUsernamePrefix, options.oidcUsernameClaim, issuer),
    groupsClaim: options.oidcGroupsClaim,
    groupsPrefix: options.oidcGroupsPrefix,
    requiredClaims: options.oidcRequiredClaim,
  }
  return {
    authenticator: defineAuthenticator({
      name: 'openid-connect',
      kind: 'bearer',
      needs,
      authenticate({ bearerToken = '' }, { clock, client }) {
        const found = claimedIssuer(bearerToken) === issuer ? client() : undefined
        if (!found) return undefined
        return verifyIdToken(bearerToken, found.keys, found.rules, clock.now()).then(claims => ({
          user: userOfClaims(claims, rules),
          expiresAt: claims.exp * 1000,
        }))
      },
    }),
    check: {
      name: 'OpenID Connect issuer',
      needs,
      run({ client }) {
        // The issuer may start later than this server, so the start does not wait for it.
        client()
          ?.keys.current()
          .catch(() => {})
      },
    },
  }
}
