import { type Clock, pathNotFound, services } from 'orch/sdk'
import { defineRoute, jsonFields, type RouteAnswer, type RouteRequest, requiredText } from 'orch/sdk/server'
import type { AuthenticationOptions } from '../options.js'
import { readOnce } from '../read-once.js'
import { type OpenIdClient, openIdClient } from './openid-client.js'
import { OpenIdSignIn, type SignInGrant } from './sign-in.js'

/** Refresh tokens of some issuers have a few kilobytes; all other fields are short. */
const maxBodyBytes = 16 * 1024

const answer = (content: object): RouteAnswer => ({
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify(content),
})

/**
 * How a page signs users in with the issuer: GET returns where to send them (nothing if no issuer is configured), POST
 * exchanges the code they return with for an ID token. It is public, since the caller has no token yet; the issuer
 * decides what it returns.
 */
export const signInRoute = ({ oidcSignInScopes: scopes, oidcClientSecretFile }: AuthenticationOptions) => {
  const signInOf = readOnce(
    (client: OpenIdClient, clock: Clock) =>
      new OpenIdSignIn(client, { scopes, clientSecretFile: oidcClientSecretFile }, clock),
  )
  return defineRoute({
    path: '/openid/v1/sign-in',
    methods: ['GET', 'POST'],
    access: 'public',
    needs: { client: openIdClient, clock: services.clock },
    async handle(request, { client, clock }) {
      const found = client()
      if (request.method === 'GET') return answer(found ? await signInOf(found, clock).offer() : {})
      if (!found) throw pathNotFound()
      return answer(await signInOf(found, clock).tokensFor(await grantIn(request)))
    },
  })
}

async function grantIn(request: RouteRequest): Promise<SignInGrant> {
  const fields = await jsonFields(request, maxBodyBytes)
  if (fields['refreshToken'] !== undefined) return { refreshToken: requiredText(fields, 'refreshToken') }
  return {
    code: requiredText(fields, 'code'),
    codeVerifier: requiredText(fields, 'codeVerifier'),
    redirectUri: requiredText(fields, 'redirectUri'),
    nonce: requiredText(fields, 'nonce'),
  }
}
