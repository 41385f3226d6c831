import { services } from 'orch/sdk'
import { defineAuthenticator } from 'orch/sdk/identity'
import { claimedIssuer } from '../account-tokens/verify-signature.js'
import { verifyIdToken } from '../openid-connect/verify-id-token.js'
import { jwtIssuers } from '../structured/jwt-issuers.js'
import type { Method } from './method.js'

const needs = { clock: services.clock, issuers: jwtIssuers }

/** Tokens of the issuers that --authentication-config names. */
export const configuredIssuers: Method<typeof needs> = {
  authenticator: defineAuthenticator({
    name: 'configured-issuers',
    kind: 'bearer',
    needs,
    authenticate({ bearerToken = '' }, { clock, issuers }) {
      const { current } = issuers
      const issuer = current.byUrl.get(claimedIssuer(bearerToken) ?? '')
      if (!issuer) return undefined
      return verifyIdToken(bearerToken, issuer.keys, issuer.rules, clock.now()).then(claims => ({
        user: issuer.userOf(claims),
        expiresAt: claims.exp * 1000,
        // A changed file may treat the same token differently.
        isStillValid: () => issuers.current === current,
      }))
    },
  }),
  check: {
    name: 'authentication configuration',
    needs,
    async run({ issuers }) {
      await issuers.start()
      return () => issuers.stop()
    },
  },
}
