import { readFileSync } from 'node:fs'
import { defineAuthenticator, type Resolved, services } from 'orch/sdk'
import { claimedIssuer } from '../account-tokens/verify-signature.js'
import { type ClaimRules, usernamePrefixOf, userOfClaims } from '../openid-connect/claims-user.js'
import { IssuerKeys } from '../openid-connect/issuer-keys.js'
import { verifyIdToken } from '../openid-connect/verify-id-token.js'
import type { AuthenticationOptions } from '../options.js'
import { readOnce } from '../read-once.js'
import { parseCertificates } from '../x509/certificate-bundle.js'
import type { Method } from './method.js'

const needs = { clock: services.clock, logger: services.logger }

/** ID tokens of one OpenID Connect issuer, checked with its keys and without asking it. */
export function openIdConnect(options: AuthenticationOptions, issuer: string, clientId: string): Method<typeof needs> {
  const rules: ClaimRules = {
    usernameClaim: options.oidcUsernameClaim,
    usernamePrefix: usernamePrefixOf(options.oidcUsernamePrefix, options.oidcUsernameClaim, issuer),
    groupsClaim: options.oidcGroupsClaim,
    groupsPrefix: options.oidcGroupsPrefix,
    requiredClaims: options.oidcRequiredClaim,
  }
  const keysOf = readOnce(({ clock, logger }: Resolved<typeof needs>) => {
    const caPem = options.oidcCaFile === undefined ? undefined : readCa(options.oidcCaFile)
    return new IssuerKeys(issuer, caPem, clock, logger)
  })
  const tokenRules = { issuer, clientId, algorithms: options.oidcSigningAlgs }
  return {
    authenticator: defineAuthenticator({
      name: 'openid-connect',
      kind: 'bearer',
      needs,
      authenticate({ bearerToken = '' }, given) {
        if (claimedIssuer(bearerToken) !== issuer) return undefined
        return verifyIdToken(bearerToken, keysOf(given), tokenRules, given.clock.now()).then(claims => ({
          user: userOfClaims(claims, rules),
          expiresAt: claims.exp * 1000,
        }))
      },
    }),
    check: {
      name: 'OpenID Connect issuer',
      needs,
      run(given) {
        // The issuer may start later than this server, so nobody waits for it.
        keysOf(given)
          .current()
          .catch(() => {})
      },
    },
  }
}

function readCa(path: string): string {
  const pem = readFileSync(path, 'utf8')
  if (parseCertificates(pem).length === 0) throw new Error(`--oidc-ca-file ${path} holds no PEM certificate`)
  return pem
}
