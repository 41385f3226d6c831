import { services } from 'orch/sdk'
import { defineRoute, type RouteAnswer } from 'orch/sdk/server'
import { accountKeys } from '../account-tokens/account-keys.js'
import type { VerificationKey } from '../account-tokens/signing-keys.js'

const keysPath = '/openid/v1/jwks'
const cacheHeaders = { 'Cache-Control': 'public, max-age=3600' }

const answer = (contentType: string, document: object): RouteAnswer => ({
  headers: { ...cacheHeaders, 'Content-Type': contentType },
  body: JSON.stringify(document),
})

/** The discovery document, from which other parties learn how to verify tokens of service accounts. */
const discoveryDocument = (issuer: string, keysUrl: string | undefined) =>
  defineRoute({
    path: '/.well-known/openid-configuration',
    needs: { keys: accountKeys, server: services.server },
    handle: (_request, { keys, server }) =>
      answer('application/json', {
        issuer,
        jwks_uri: keysUrl ?? `${server.baseUrl()}${keysPath}`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [...new Set(keys().verifying.map(({ algorithm }) => algorithm))].sort(),
      }),
  })

const keySet = defineRoute({
  path: keysPath,
  needs: { keys: accountKeys },
  handle: (_request, { keys }) => answer('application/jwk-set+json', { keys: keys().verifying.map(publicJwk) }),
})

const publicJwk = ({ key, algorithm, id }: VerificationKey) => ({
  use: 'sig',
  kid: id,
  alg: algorithm,
  ...key.export({ format: 'jwk' }),
})

/** Only an https issuer whose URL can be extended by a path can be discovered; for any other nothing is served. */
export const discoveryRoutes = (issuer: string, keysUrl: string | undefined) =>
  issuer.startsWith('https://') && !/[?#]/.test(issuer) ? [discoveryDocument(issuer, keysUrl), keySet] : []
