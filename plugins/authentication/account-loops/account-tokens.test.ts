import { generateKeyPairSync } from 'node:crypto'
import { type ApiObject, orchProfile, Vendor } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import { FakeApi, fakeClock, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findSigningKey } from '../account-tokens/signing-keys.js'
import { acmeNames } from '../testing/acme.js'
import { accountTokensLoop } from './account-tokens.js'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const signing = findSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, 'test')!
const keys = () => ({ signing, legacySigning: signing, verifying: [signing.publicKey] })
const accountPath = '/api/v1/namespaces/farm/serviceaccounts'
const secretPath = '/api/v1/namespaces/farm/secrets'
type Account = ApiObject & { secrets?: { name: string }[] }

/** Runs the loop on an API in memory until nothing more happens. */
async function withLoop(
  prepare: (api: FakeApi) => void,
  test: (world: {
    api: FakeApi
    settle(): Promise<void>
    tokens(): string[]
    account(name: string): Account
  }) => Promise<void>,
) {
  const api = new FakeApi()
  prepare(api)
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  const loop = { client, clock, logger: fakeLogger(), metrics: fakeMetrics(), vendor: new Vendor(orchProfile) }
  const given = { ...loop, keys, rootCa: () => 'root-ca' }
  const stop = await accountTokensLoop(acmeNames, true).start(given)
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) {
      await new Promise(resolve => setTimeout(resolve, 5))
      await clock.advance(100)
    }
  }
  const created = () => api.requests.filter(request => request === `POST ${secretPath}`).length
  try {
    await settle()
    await test({
      api,
      settle,
      tokens: () => Array.from({ length: created() }, (_, index) => String(index)),
      account: name => api.get(`${accountPath}/${name}`) as Account,
    })
  } finally {
    await stop()
  }
}

const loop = suite('token Secrets of service accounts')

loop('an account gets one token, which is added to its list', async () => {
  const put = (api: FakeApi) =>
    api.put(`${accountPath}/robot`, { metadata: { name: 'robot' }, secrets: [{ name: 'mine' }] } as ApiObject)
  await withLoop(put, async ({ api, account, tokens, settle }) => {
    const { secrets = [] } = account('robot')
    assert.is(secrets.length, 2)
    assert.match(secrets[1]?.name ?? '', /^robot-token-[a-z0-9]{5}$/)
    const secret = api.get(`${secretPath}/${secrets[1]?.name}`) as ApiObject & { data: Record<string, string> }
    assert.equal(Object.keys(secret.data).sort(), ['ca.crt', 'namespace', 'token'])
    api.put(`${accountPath}/robot`, { ...account('robot'), automount: true } as ApiObject)
    await settle()
    assert.is(tokens().length, 1, 'and never another one')
  })
})

loop('an account that lists invalid or empty names gets its token, and these names are not requested', async () => {
  const secrets = [{ name: 'a/b' }, { name: '../../kube-system/secrets/x' }, {}, { name: '' }]
  const put = (api: FakeApi) => api.put(`${accountPath}/robot`, { metadata: { name: 'robot' }, secrets } as ApiObject)
  await withLoop(put, async ({ api, account, tokens }) => {
    assert.is(tokens().length, 1)
    assert.is(account('robot').secrets?.length, 5)
    assert.equal(
      api.requests.filter(request => /secrets\/(a|b|\.|%2e)|kube-system/i.test(request)),
      [],
    )
  })
})

loop('a conflict leaves no unlisted token behind', async () => {
  let conflicts = 1
  await withLoop(
    api => {
      api.put(`${accountPath}/robot`, { metadata: { name: 'robot' } })
      api.intercept = request => {
        if (request.method === 'PUT' && conflicts-- > 0) {
          const stored = api.get(`${accountPath}/robot`) as ApiObject
          api.put(`${accountPath}/robot`, { ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } })
        }
        return undefined
      }
    },
    async ({ api, account }) => {
      const { secrets = [], metadata } = account('robot')
      assert.equal([secrets.length, metadata.labels], [1, { a: 'b' }])
      const made = api.requests.filter(request => request.startsWith(`POST ${secretPath}`)).length
      const removed = api.requests.filter(request => request.startsWith(`DELETE ${secretPath}`)).length
      assert.is(made - removed, 1)
    },
  )
})

loop('a deleted token is removed from the list and replaced; Secrets of other types remain listed', async () => {
  const put = (api: FakeApi) =>
    api.put(`${accountPath}/robot`, { metadata: { name: 'robot' }, secrets: [{ name: 'mine' }] } as ApiObject)
  await withLoop(put, async ({ api, account, settle }) => {
    const before = account('robot').secrets?.[1]?.name
    api.remove(`${secretPath}/${before}`)
    await settle()
    const { secrets = [] } = account('robot')
    assert.is(secrets.length, 2)
    assert.is(secrets[0]?.name, 'mine')
    assert.is.not(secrets[1]?.name, before)
  })
})

loop(
  'the tokens of an account are deleted with it, even if an account of the same name is created immediately',
  async () => {
    await withLoop(
      api => api.put(`${accountPath}/robot`, { metadata: { name: 'robot' } }),
      async ({ api, account, settle }) => {
        const old = account('robot').secrets?.[0]?.name
        api.remove(`${accountPath}/robot`)
        api.put(`${accountPath}/robot`, { metadata: { name: 'robot' } })
        await settle()
        assert.is(api.get(`${secretPath}/${old}`), undefined)
        const young = account('robot').secrets?.[0]?.name
        assert.ok(young && young !== old && api.get(`${secretPath}/${young}`))
        api.remove(`${accountPath}/robot`)
        await settle()
        assert.is(api.get(`${secretPath}/${young}`), undefined)
      },
    )
  },
)

loop.run()
