import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { allAuthenticated } from 'orch/sdk/identity'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../support/rejects.js'
import {
  accounts,
  acme,
  configMaps,
  decoded,
  ecKeys,
  issuer,
  keyOptions,
  makeAccount,
  privatePem,
  publicPem,
  review,
  rsaKeys,
  secrets,
  sign,
} from './account-world.js'
import { withWhoAmI } from './whoami-server.js'

const vendor = { vendor: acme }
const tokens = suite('service account tokens')

tokens(
  '--service-account-lookup: the token in the Secret of an account authenticates it, and is rejected as soon as the Secret is deleted',
  async () => {
    await withWhoAmI(
      () => ({}),
      async server => {
        const { account, secret } = await makeAccount(server, 'robot')
        const { metadata, data, type } = await secret()
        assert.is(type, 'acme.test/service-account-token')
        assert.equal(Object.keys(data ?? {}).sort(), ['ca.crt', 'namespace', 'token'])
        assert.is(metadata.managedFields?.[0]?.manager, 'orch-controller-manager', 'as when loops run elsewhere')
        const token = decoded(data?.['token'])
        assert.equal((await server.whoAmI({ token })).user, {
          name: 'system:serviceaccount:default:robot',
          uid: account.metadata.uid,
          groups: ['system:serviceaccounts', 'system:serviceaccounts:default', allAuthenticated],
        })
        await server.client
          .resource(secrets)
          .in('default')
          .delete(metadata.name ?? '')
        assert.is((await server.whoAmI({ token })).status, 401)
      },
      vendor,
    )
  },
)

tokens('with --service-account-lookup=false the token of a deleted Secret stays valid', async () => {
  await withWhoAmI(
    () => ({ serviceAccountLookup: false }),
    async server => {
      const { secret } = await makeAccount(server, 'robot')
      const { metadata, data } = await secret()
      await server.client
        .resource(secrets)
        .in('default')
        .delete(metadata.name ?? '')
      assert.is((await server.whoAmI({ token: decoded(data?.['token']) })).status, 200)
    },
    vendor,
  )
})

tokens('a token request is validated first, then its namespace is checked, then its account', async () => {
  await withWhoAmI(
    () => ({}),
    async server => {
      const ask = (namespace: string, seconds: number) =>
        server.client
          .resource(accounts)
          .in(namespace)
          .createSubresource('nobody', 'token', { spec: { expirationSeconds: seconds } })
      await rejects(ask('default', 5), /expirationSeconds/)
      await rejects(ask('nowhere', 600), /namespaces "nowhere" not found/)
      await rejects(ask('default', 600), /serviceaccounts "nobody" not found/)
    },
    vendor,
  )
})

tokens('a requested token is rejected as soon as its account or its Secret is deleted', async () => {
  await withWhoAmI(
    () => ({}),
    async server => {
      const { request, all } = await makeAccount(server, 'robot')
      const bound = server.client.resource(secrets).in('default')
      await bound.create({ metadata: { name: 'anchor' } })
      const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 'anchor' }
      const [free, anchored] = [await request(), await request({ boundObjectRef })]
      const statuses = async () => [
        (await server.whoAmI({ token: free })).status,
        (await server.whoAmI({ token: anchored })).status,
      ]
      assert.equal(await statuses(), [200, 200])
      assert.equal(await statuses(), [200, 200], 'from memory')
      await bound.delete('anchor')
      await bound.create({ metadata: { name: 'anchor' } })
      assert.equal(await statuses(), [200, 401], 'another Secret of the same name does not revive it')
      await all.delete('robot')
      assert.equal(await statuses(), [401, 401])
      await all.create({ metadata: { name: 'robot' } })
      assert.equal(await statuses(), [401, 401], 'nor does another account')
    },
    vendor,
  )
})

tokens('a token is valid for its audiences, and reviews return them', async () => {
  await withWhoAmI(
    () => ({}),
    async server => {
      const { request } = await makeAccount(server, 'robot')
      const token = await request({ audiences: ['vault', 'other'] })
      assert.is((await server.whoAmI({ token })).status, 401)
      assert.equal((await review(server, token, ['vault', 'x']))?.audiences, ['vault'])
      const refused = await review(server, token)
      assert.equal(refused?.user, {})
      assert.ok(refused?.error)
      assert.not.ok(refused?.authenticated)
    },
    vendor,
  )
})

tokens('--api-audiences are the audiences of the server; --service-account-issuer names several issuers', async () => {
  const keys = rsaKeys()
  const issuers = ['https://new.test', 'https://old.test']
  await withWhoAmI(
    folder => ({ ...keyOptions(keys)(folder), apiAudiences: ['api', 'api2'], serviceAccountIssuer: issuers }),
    async server => {
      const { request, claims } = await makeAccount(server, 'robot')
      const status = await review(server, await request())
      assert.equal([status?.authenticated, status?.audiences], [true, ['api', 'api2']])
      const old = await sign(claims({ iss: 'https://old.test', aud: 'api2' }), keys)
      assert.is((await server.whoAmI({ token: old })).status, 200)
      const foreign = await sign(claims({ iss: 'https://else.test', aud: 'api' }), keys)
      assert.is((await server.whoAmI({ token: foreign })).status, 401)
    },
    vendor,
  )
})

tokens('RS256 and ES256 keys work, and every file of --service-account-key-file is tried', async () => {
  const [old, current] = [rsaKeys(), ecKeys()]
  await withWhoAmI(
    folder => ({
      serviceAccountKeyFile: [folder.write('old.pub', publicPem(old)), folder.write('new.pub', publicPem(current))],
      serviceAccountSigningKeyFile: folder.write('new.key', privatePem(current)),
    }),
    async server => {
      const { request, claims } = await makeAccount(server, 'robot')
      const token = await request()
      assert.is(JSON.parse(decoded(token.split('.')[0])).alg, 'ES256')
      assert.is((await server.whoAmI({ token })).status, 200)
      assert.is((await server.whoAmI({ token: await sign(claims(), old) })).status, 200)
      assert.is((await server.whoAmI({ token: await sign(claims(), rsaKeys()) })).status, 401)
    },
    vendor,
  )
})

tokens('clients can discover the keys and verify a token with them', async () => {
  await withWhoAmI(
    () => ({}),
    async server => {
      const get = <T>(path: string) => server.client.request<T>({ method: 'GET', path, headers: {} })
      const document = await get<{ issuer: string; jwks_uri: string }>('/.well-known/openid-configuration')
      assert.equal([document.issuer, document.jwks_uri], [issuer, `${server.baseUrl}/openid/v1/jwks`])
      const { request } = await makeAccount(server, 'robot')
      const answer = await get<JSONWebKeySet | string>('/openid/v1/jwks')
      const set = typeof answer === 'string' ? (JSON.parse(answer) as JSONWebKeySet) : answer
      assert.not.match(JSON.stringify(set), /"d":/)
      const { payload } = await jwtVerify(await request(), createLocalJWKSet(set), { issuer, audience: issuer })
      assert.is(payload.sub, 'system:serviceaccount:default:robot')
    },
    vendor,
  )
})

tokens('a lifetime beyond --service-account-max-token-expiration is shortened', async () => {
  await withWhoAmI(
    () => ({ serviceAccountMaxTokenExpiration: '1h' }),
    async server => {
      const { request } = await makeAccount(server, 'robot')
      const { exp, iat } = JSON.parse(decoded((await request({ expirationSeconds: 86_400 })).split('.')[1]))
      assert.is(exp - iat, 3600)
    },
    vendor,
  )
})

tokens('a Secret that a user creates for an account is filled, and one for a missing account is deleted', async () => {
  const { caPem: rootCa } = await testAuthority()
  await withWhoAmI(
    folder => ({ rootCaFile: folder.write('root.pem', rootCa) }),
    async server => {
      await makeAccount(server, 'robot')
      const all = server.client.resource<{ metadata: object; data?: Record<string, string>; type: string }>(secrets)
      const make = (name: string, account: string) => ({
        metadata: { name, annotations: { 'acme.test/service-account.name': account } },
        type: 'acme.test/service-account-token',
      })
      await all.in('default').create(make('mine', 'robot'))
      const filled = await all.in('default').waitFor('mine', ({ data }) => data?.['token'] !== undefined)
      assert.is(decoded(filled.data?.['ca.crt']), rootCa)
      assert.is((await server.whoAmI({ token: decoded(filled.data?.['token']) })).status, 200)
      await all.in('default').create(make('orphan', 'nobody'))
      await all.in('default').waitForDeletion('orphan')
    },
    vendor,
  )
})

tokens('every namespace has an account and the root CA, and they are recreated', async () => {
  const { caPem: rootCa } = await testAuthority()
  await withWhoAmI(
    folder => ({ rootCaFile: folder.write('root.pem', rootCa) }),
    async server => {
      await server.client
        .resource({ group: '', version: 'v1', resource: 'namespaces' })
        .create({ metadata: { name: 'n' } })
      const maps = server.client.resource<{ metadata: object; data?: Record<string, string> }>(configMaps).in('n')
      const published = await maps.waitFor('orch-root-ca.crt', () => true)
      assert.equal(published.data, { 'ca.crt': rootCa })
      await maps.patch('orch-root-ca.crt', { data: { 'ca.crt': 'mine', more: 'x' } })
      await maps.waitFor(
        'orch-root-ca.crt',
        ({ data }) => JSON.stringify(data) === JSON.stringify({ 'ca.crt': rootCa }),
      )
      await maps.patch('orch-root-ca.crt', { metadata: { annotations: null } })
      await maps.waitFor('orch-root-ca.crt', ({ metadata }) => 'annotations' in metadata)
      const { all } = await makeAccount(server, 'other', 'n')
      const { metadata } = await all.waitFor('default', () => true)
      await all.delete('default')
      await all.waitFor('default', again => again.metadata.uid !== metadata.uid)
    },
    vendor,
  )
})

tokens('files without keys fail the start', async () => {
  const broken: Record<string, [(path: (contents: string) => string) => Record<string, unknown>, RegExp]> = {
    'not PEM': [path => ({ serviceAccountKeyFile: [path('x')] }), /holds no PEM key/],
    'a public key to sign with': [
      path => ({ serviceAccountSigningKeyFile: path(publicPem(rsaKeys())) }),
      /holds no private key/,
    ],
    'only public keys': [
      path => ({ serviceAccountKeyFile: [path(publicPem(rsaKeys()))] }),
      /--service-account-signing-key-file must name one/,
    ],
    'no certificate': [path => ({ rootCaFile: path('x') }), /--root-ca-file .* holds no PEM certificate/],
    'an issuer twice': [
      () => ({ serviceAccountIssuer: ['https://a.test', 'https://a.test'] }),
      /"https:\/\/a.test" twice/,
    ],
    'a lifetime that is too short': [
      () => ({ serviceAccountMaxTokenExpiration: '5m' }),
      /between 1 hour and 2\^32 seconds/,
    ],
  }
  for (const [what, [options, expected]] of Object.entries(broken)) {
    const start = withWhoAmI(
      folder => options(contents => folder.write('key.pem', contents)),
      async () => {},
    )
    await rejects(start, expected).catch(error => assert.unreachable(`${what}: ${error.message}`))
  }
})

tokens.run()
