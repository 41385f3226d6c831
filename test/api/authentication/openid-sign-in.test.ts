import { createHash, randomBytes } from 'node:crypto'
import { authentication } from 'orch/plugins/authentication'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { clientId, type SignInIssuer, startSignInIssuer } from './sign-in-issuer.js'

const path = '/openid/v1/sign-in'
const redirectUri = 'https://orch.test/console/'
const folder = temporaryFolder()
const plugins = [namespaces, configuration, authentication]
let issuer: SignInIssuer
let server: TestServer

const post = async (grant: unknown, at = server) => {
  const body = typeof grant === 'string' ? grant : JSON.stringify(grant)
  const answer = await fetch(at.baseUrl + path, { method: 'POST', body })
  return { status: answer.status, content: (await answer.json()) as Record<string, string> }
}
/** The grant of a user who agreed, with changes. */
const grantWith = (changes: Record<string, unknown> = {}) => {
  const codeVerifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const code = issuer.agree({ challenge, redirectUri, nonce: 'of-this-page' })
  return { code, codeVerifier, redirectUri, nonce: 'of-this-page', ...changes }
}

const it = suite('signing in with an OpenID Connect issuer')
it.before(async () => {
  issuer = await startSignInIssuer()
  const options = {
    oidcIssuerUrl: issuer.url,
    oidcClientId: clientId,
    oidcCaFile: folder.write('ca.pem', issuer.caPem),
    oidcClientSecretFile: folder.write('secret', 's3cret/+:\n'),
  }
  server = await startServer({ plugins, options })
})
it.before.each(() => {
  issuer.clientSecret = encodeURIComponent('s3cret/+:')
  issuer.claims = {}
})
it.after(async () => {
  await server?.stop()
  await issuer?.close()
  folder.remove()
})

it('the authorization URL is public, with the scope for refresh tokens if the issuer supports it', async () => {
  const answer = await fetch(server.baseUrl + path)
  assert.is(answer.headers.get('cache-control'), 'no-store')
  assert.equal(await answer.json(), {
    issuer: issuer.url,
    clientId,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    authorizationEndpoint: `${issuer.url}/authorize`,
    endSessionEndpoint: `${issuer.url}/end`,
  })
})

it('a code and its PKCE verifier are exchanged for an ID token, with the client secret', async () => {
  const { status, content } = await post(grantWith())
  assert.is(status, 200, JSON.stringify(content))
  const who = await fetch(`${server.baseUrl}/apis`, { headers: { Authorization: `Bearer ${content['token']}` } })
  assert.is.not(who.status, 401)
  assert.ok(Number(content['expiresAt']) > Date.now())
  const renewed = await post({ refreshToken: content['refreshToken'] })
  assert.is(renewed.status, 200)
  assert.is.not(renewed.content['token'], content['token'])
  assert.is((await post({ refreshToken: content['refreshToken'] })).status, 401, 'twice')
})

it('a code is valid once, for its verifier and its redirect URI', async () => {
  const used = grantWith()
  assert.is((await post(used)).status, 200)
  for (const [what, grant] of Object.entries({
    'a code again': used,
    'another proof': grantWith({ codeVerifier: 'guessed' }),
    'another place': grantWith({ redirectUri: 'https://evil.test/' }),
    'an unknown code': grantWith({ code: 'guessed' }),
  })) {
    const { status, content } = await post(grant)
    assert.is(status, 401, what)
    assert.match(content['message'] ?? '', /the issuer refused: invalid_grant/, what)
  }
})

it('tokens that are not for this sign-in or this server are not returned', async () => {
  const elsewhere = await post(grantWith({ nonce: 'of-another-page' }))
  assert.is(elsewhere.status, 401)
  assert.match(elsewhere.content['message'] ?? '', /not issued for this sign-in/)
  issuer.claims = { aud: 'another-client' }
  const foreign = await post(grantWith())
  assert.is(foreign.status, 401)
  assert.match(foreign.content['message'] ?? '', /issued for another client/)
})

it('a wrong secret is rejected and does not appear in the error', async () => {
  issuer.clientSecret = 'another'
  const { status, content } = await post(grantWith())
  assert.is(status, 401)
  assert.match(content['message'] ?? '', /invalid_client/)
  assert.not(JSON.stringify(content).includes('s3cret'))
})

for (const [what, body, expected] of [
  ['no JSON', 'code', /not JSON/],
  ['no object', '[]', /not an object/],
  ['no code', {}, /code: a non-empty string is required/],
  ['a code that is not a string', { code: 5 }, /code: a non-empty string is required/],
  ['a body that is too large', { refreshToken: 'x'.repeat(17_000) }, /longer than 16384 bytes/],
] as const)
  it(`${what} is a bad request`, async () => {
    const { status, content } = await post(body)
    assert.is(status, 400)
    assert.match(content['message'] ?? '', expected)
  })

it('an unreachable issuer is reported', async () => {
  const options = { oidcIssuerUrl: 'https://127.0.0.1:1/oidc', oidcClientId: clientId }
  const lonely = await startServer({ plugins, options })
  try {
    assert.is((await fetch(lonely.baseUrl + path)).status, 503)
    const { status, content } = await post(grantWith(), lonely)
    assert.is(status, 503)
    assert.match(content['message'] ?? '', /the issuer cannot be reached/)
  } finally {
    await lonely.stop()
  }
})

it('without an issuer signing in is not offered', async () => {
  const plain = await startServer({ plugins })
  try {
    assert.equal(await (await fetch(plain.baseUrl + path)).json(), {})
    assert.is((await post(grantWith(), plain)).status, 404)
  } finally {
    await plain.stop()
  }
})

it.run()
