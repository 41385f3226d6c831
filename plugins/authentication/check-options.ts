import { defineStartTask, parseDuration } from 'orch/sdk'
import { repeats } from 'orch/sdk/validation'
import { isHttps } from './openid-connect/issuer.js'
import type { AuthenticationOptions } from './options.js'

/** Algorithms whose verification needs no secret. */
export const signingAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']
const hourMs = 3_600_000
const maxTokenMs = 2 ** 32 * 1000

/** Problems of options that depend on each other, as sentences for the operator. */
export function problemsOf(options: AuthenticationOptions): string[] {
  return [...oidcProblems(options), ...proxyProblems(options), ...accountProblems(options)]
}

function oidcProblems(options: AuthenticationOptions): string[] {
  const { oidcIssuerUrl, oidcClientId, oidcSigningAlgs, authenticationConfig } = options
  const unknown = oidcSigningAlgs.filter(algorithm => !signingAlgorithms.includes(algorithm))
  return [
    ...((oidcIssuerUrl === undefined) === (oidcClientId === undefined)
      ? []
      : ['--oidc-issuer-url and --oidc-client-id must be given together']),
    ...(oidcIssuerUrl === undefined || isHttps(oidcIssuerUrl) ? [] : ['--oidc-issuer-url must be an https URL']),
    ...(authenticationConfig === undefined ? [] : issuerFlags(options)).map(
      flag => `${flag} cannot be combined with --authentication-config, which names all issuers`,
    ),
    ...(options.oidcSignInScopes.includes('openid') ? [] : ['--oidc-sign-in-scopes must include "openid"']),
    ...unknown.map(algorithm => `--oidc-signing-algs has the unknown algorithm "${algorithm}"`),
  ]
}

/** The flags about one issuer that are set. */
function issuerFlags(options: AuthenticationOptions): string[] {
  const isGiven = {
    '--oidc-issuer-url': options.oidcIssuerUrl !== undefined,
    '--oidc-client-id': options.oidcClientId !== undefined,
    '--oidc-username-claim': options.oidcUsernameClaim !== 'sub',
    '--oidc-username-prefix': options.oidcUsernamePrefix !== undefined,
    '--oidc-groups-claim': options.oidcGroupsClaim !== undefined,
    '--oidc-groups-prefix': options.oidcGroupsPrefix !== '',
    '--oidc-required-claim': Object.keys(options.oidcRequiredClaim).length > 0,
    '--oidc-ca-file': options.oidcCaFile !== undefined,
  }
  return Object.entries(isGiven).flatMap(([flag, given]) => (given ? [flag] : []))
}

function proxyProblems(options: AuthenticationOptions): string[] {
  const hasNames = options.requestheaderUsernameHeaders.length > 0
  const hasCa = options.requestheaderClientCaFile !== undefined
  const hasOthers =
    options.requestheaderGroupHeaders.length > 0 ||
    options.requestheaderExtraHeadersPrefix.length > 0 ||
    options.requestheaderAllowedNames.length > 0
  if (hasNames && hasCa) return []
  return hasNames || hasCa || hasOthers
    ? ['an authenticating proxy requires both --requestheader-client-ca-file and --requestheader-username-headers']
    : []
}

function accountProblems(options: AuthenticationOptions): string[] {
  const maxMs = parseDuration(options.serviceAccountMaxTokenExpiration)
  const { serviceAccountIssuer: issuers } = options
  const wrong = issuers.filter(issuer => issuer.includes(':') && !URL.canParse(issuer))
  const isRepeat = repeats(issuers)
  const repeated = new Set(issuers.filter((_, at) => isRepeat[at]))
  return [
    ...wrong.map(issuer => `--service-account-issuer "${issuer}" is not a URL`),
    ...[...repeated].map(issuer => `--service-account-issuer names "${issuer}" twice`),
    ...(maxMs === 0 || (maxMs >= hourMs && maxMs <= maxTokenMs)
      ? []
      : ['--service-account-max-token-expiration must be between 1 hour and 2^32 seconds']),
    ...(options.serviceAccountJwksUri === undefined || isHttps(options.serviceAccountJwksUri)
      ? []
      : ['--service-account-jwks-uri must be an https URL']),
  ]
}

/** Stops the start when options contradict each other. */
export const checkOptions = (options: AuthenticationOptions) =>
  defineStartTask({
    name: 'authentication options',
    isCheck: true,
    run() {
      const problems = problemsOf(options)
      if (problems.length > 0) throw new Error(problems.join('; '))
    },
  })
