import { createHmac } from 'node:crypto'
import { allAuthenticated } from 'orch/sdk/identity'
import { fakeClock } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acme, configMaps, type Secret, secrets } from './account-world.js'
import { sharedWhoAmI, type WhoAmIServer, withWhoAmI } from './whoami-server.js'

const system = 'orch-system'
const open = 'orch-public'
const secretPart = '0123456789abcdef'
const vendor = { vendor: acme }

/** Creates the Secret of a token with these keys in addition to the required ones. */
async function makeToken({ client }: WhoAmIServer, id: string, more: Record<string, string> = {}, changes = {}) {
  const stringData = {
    'token-id': id,
    'token-secret': secretPart,
    'usage-bootstrap-authentication': 'true',
    ...more,
  }
  const type = 'bootstrap.acme.test/token'
  const secret = { metadata: { name: `bootstrap-token-${id}` }, type, stringData, ...changes }
  await client.resource<Secret>(secrets).in(system).create(secret)
  return `${id}.${secretPart}`
}

const bootstrap = suite('bootstrap tokens')

bootstrap('a token is system:bootstrap:<id>, in system:bootstrappers and the extra groups', async () => {
  await withWhoAmI(
    () => ({ enableBootstrapTokenAuth: true }),
    async server => {
      const extra = 'system:bootstrappers:worker,system:bootstrappers:a:b'
      const token = await makeToken(server, 'abc123', { 'auth-extra-groups': extra, description: 'for tests' })
      assert.equal((await server.whoAmI({ token })).user, {
        name: 'system:bootstrap:abc123',
        groups: ['system:bootstrappers', 'system:bootstrappers:a:b', 'system:bootstrappers:worker', allAuthenticated],
      })
    },
    vendor,
  )
})

bootstrap('without --enable-bootstrap-token-auth they are rejected', async () => {
  await withWhoAmI(
    () => ({}),
    async server => assert.is((await server.whoAmI({ token: await makeToken(server, 'abc123') })).status, 401),
    vendor,
  )
})

const shared = sharedWhoAmI(() => ({ enableBootstrapTokenAuth: true }), vendor)
let made = 0
/** The statuses of requests with tokens whose Secrets differ in these ways from a valid one. */
async function statusesOf(...variants: (readonly [Record<string, string>, object?])[]): Promise<number[]> {
  const server = await shared.server()
  const statuses: number[] = []
  for (const [more, changes] of variants) {
    const token = await makeToken(server, `aaa${100 + made++}`, more, changes)
    statuses.push((await server.whoAmI({ token })).status)
  }
  return statuses
}

bootstrap('the form is six and sixteen characters of a-z and 0-9 with a dot between, and no other', async () => {
  const server = await shared.server()
  const good = await makeToken(server, 'good00')
  assert.is((await server.whoAmI({ token: good })).status, 200)
  for (const token of [good.toUpperCase(), `${good}0`, good.slice(0, -1), `x${good}`, good.replace('.', '')])
    assert.is((await server.whoAmI({ token })).status, 401, token)
})

bootstrap('the Secret must be of the type of bootstrap tokens', async () => {
  assert.equal(await statusesOf([{}], [{}, { type: 'Opaque' }]), [200, 401])
})

bootstrap('token-id and token-secret are required, and must be those of the token and of the name', async () => {
  const variants: Record<string, string>[] = [
    { 'token-id': 'zzzzzz' },
    { 'token-id': '' },
    { 'token-secret': 'fedcba9876543210' },
    { 'token-secret': '' },
  ]
  assert.equal(await statusesOf(...variants.map(one => [one] as const)), [401, 401, 401, 401])
})

bootstrap('an expired token is rejected, and so is one with an unreadable expiration', async () => {
  const past = new Date(Date.now() - 1000).toISOString()
  const variants = ['2099-01-01T00:00:00Z', '', past, 'tomorrow', '2099-01-01'].map(
    time => [{ expiration: time }] as const,
  )
  assert.equal(await statusesOf(...variants), [200, 200, 401, 401, 401])
})

bootstrap('usage-bootstrap-authentication must be exactly true', async () => {
  const variants = ['true', 'false', 'True', '1', ''].map(use => [{ 'usage-bootstrap-authentication': use }] as const)
  assert.equal(await statusesOf(...variants), [200, 401, 401, 401, 401])
  assert.equal(
    await statusesOf([{ 'usage-bootstrap-authentication': 'false', 'usage-bootstrap-signing': 'true' }]),
    [401],
    'usage-bootstrap-signing is independent of it',
  )
})

bootstrap('every group of auth-extra-groups starts with system:bootstrappers:, or the token is rejected', async () => {
  const good = 'system:bootstrappers:a'
  const variants = [good, `${good},${good}:b`, 'system:masters', `${good},system:masters`, `${good}\nsystem:masters`]
  const statuses = await statusesOf(...variants.map(groups => [{ 'auth-extra-groups': groups }] as const))
  assert.equal(statuses, [200, 200, 401, 401, 401])
})
bootstrap.after(() => shared.release())

bootstrap('it is read from the system namespace only, and invalid as soon as it is deleted', async () => {
  await withWhoAmI(
    () => ({ enableBootstrapTokenAuth: true }),
    async server => {
      const token = await makeToken(server, 'abc123')
      assert.is((await server.whoAmI({ token })).status, 200)
      await server.client.resource(secrets).in(system).delete('bootstrap-token-abc123')
      assert.is((await server.whoAmI({ token })).status, 401)
      const copy = { 'token-id': 'abc123', 'token-secret': secretPart, 'usage-bootstrap-authentication': 'true' }
      const metadata = { name: 'bootstrap-token-abc123' }
      const elsewhere = { metadata, type: 'bootstrap.acme.test/token', stringData: copy }
      await server.client.resource<Secret>(secrets).in('default').create(elsewhere)
      assert.is((await server.whoAmI({ token })).status, 401)
    },
    vendor,
  )
})

bootstrap('the token cleaner deletes tokens when they expire, and only if it is enabled', async () => {
  const hourMs = 3_600_000
  const makeAll = async (server: WhoAmIServer, now: number) => {
    await makeToken(server, 'past00', { expiration: '2020-01-01T00:00:00Z' })
    await makeToken(server, 'soon00', { expiration: new Date(now + hourMs).toISOString() })
    await makeToken(server, 'later0', { expiration: '2099-01-01T00:00:00Z' })
    return server.client.resource(secrets).in(system)
  }
  const clock = fakeClock(Date.now())
  await withWhoAmI(
    () => ({ controllers: ['*', 'tokencleaner'] }),
    async server => {
      const all = await makeAll(server, clock.now())
      await all.waitForDeletion('bootstrap-token-past00')
      assert.ok(await all.find('bootstrap-token-soon00'))
      await clock.advance(hourMs + 1000)
      await all.waitForDeletion('bootstrap-token-soon00')
      assert.ok(await all.find('bootstrap-token-later0'))
    },
    { ...vendor, clock },
  )
  const other = fakeClock(Date.now())
  await withWhoAmI(
    () => ({}),
    async server => {
      const all = await makeAll(server, other.now())
      await other.advance(2 * hourMs)
      for (const id of ['past00', 'soon00']) assert.ok(await all.find(`bootstrap-token-${id}`), id)
    },
    { ...vendor, clock: other },
  )
})

interface ClusterInfo {
  metadata: object
  data?: Record<string, string>
}
/** Verifies cluster information from an untrusted source, as a client that has only a token does. */
function isTrusted({ data = {} }: ClusterInfo, token: string): boolean {
  const signature = data[`jws-kubeconfig-${token.split('.')[0]}`]
  const [header = '', payload, mac = ''] = signature?.split('.') ?? []
  if (payload !== '') return false
  if (JSON.parse(Buffer.from(header, 'base64url').toString()).alg !== 'HS256') return false
  const signed = `${header}.${Buffer.from(data['kubeconfig'] ?? '').toString('base64url')}`
  return createHmac('sha256', token).update(signed).digest('base64url') === mac
}

bootstrap(
  'a client that has only a token can verify the cluster information that the signer signed with it',
  async () => {
    await withWhoAmI(
      () => ({ controllers: ['*', 'bootstrapsigner'] }),
      async server => {
        const token = await makeToken(server, 'abc123', { 'usage-bootstrap-signing': 'true' })
        await makeToken(server, 'nosign')
        await makeToken(server, 'past00', { 'usage-bootstrap-signing': 'true', expiration: '2020-01-01T00:00:00Z' })
        const info = server.client.resource<ClusterInfo>(configMaps).in(open)
        const kubeconfig = 'clusters: [{name: "", cluster: {server: "https://acme.test"}}]\n'
        await info.create({ metadata: { name: 'cluster-info' }, data: { kubeconfig } })
        const signed = await info.waitFor('cluster-info', one => isTrusted(one, token))
        assert.equal(Object.keys(signed.data ?? {}).sort(), ['jws-kubeconfig-abc123', 'kubeconfig'])
        assert.not.ok(isTrusted(signed, `abc123.${secretPart.replace('0', '1')}`), 'another secret')
        const changed = { ...signed, data: { ...signed.data, kubeconfig: 'clusters: []' } }
        assert.not.ok(isTrusted(changed, token), 'other contents')
        await info.patch('cluster-info', { data: { kubeconfig: 'clusters: []' } })
        await info.waitFor('cluster-info', one => isTrusted(one, token) && one.data?.['kubeconfig'] === 'clusters: []')
        await server.client.resource(secrets).in(system).delete('bootstrap-token-abc123')
        await info.waitFor('cluster-info', ({ data = {} }) => Object.keys(data).length === 1)
      },
      vendor,
    )
  },
)

bootstrap.run()
