import { type ApiError, orchProfile, Vendor } from 'orch/sdk'
import { type Client, type ClientFromConfigOptions, clientFromConfig, waitingClock } from 'orch/sdk/client'
import { startControlLoop } from 'orch/sdk/controllers'
import { fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { rejects } from '../support/rejects.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const vendor = new Vendor(orchProfile)
const ref = { group: '', version: 'v1', resource: 'configmaps' }

/** Runs a test with a real server and the administrator's client. */
async function withServer(
  test: (client: Client, server: RunningServer) => Promise<void>,
  options: Partial<ClientFromConfigOptions> = {},
  flags: string[] = [],
) {
  // So that only the test creates ConfigMaps.
  const server = await startOrch({ flags: ['--controllers', '*,-root-ca-cert-publisher', ...flags] })
  const client = await clientFromConfig({ vendor, environment: {}, path: server.adminConfig, ...options })
  try {
    await test(client, server)
  } finally {
    await client.close()
    await server.stop()
  }
}
const failure = async (work: Promise<unknown>) => (await rejects(work)) as ApiError
const configMap = (name: string, more: object = {}) => ({ metadata: { name, ...more }, data: { a: '1' } })

const api = suite('the client against a real server')

api('writes, reads, pages, applies and deletes', async () => {
  await withServer(async client => {
    const configMaps = client.resource<ReturnType<typeof configMap>>(ref).in('default')
    for (let i = 0; i < 5; i++) await configMaps.create(configMap(`a${i}`, { labels: { odd: String(i % 2) } }))
    const names: string[] = []
    for await (const { metadata } of configMaps.each({ limit: 2, labelSelector: 'odd=0' })) names.push(metadata.name)
    assert.equal(names, ['a0', 'a2', 'a4'])
    assert.is(await configMaps.find('nothing'), undefined)
    assert.is((await failure(configMaps.create(configMap('a0')))).reason, 'AlreadyExists')
    const wrong = await failure(configMaps.create(configMap('Not_A_Name')))
    assert.equal([wrong.code, wrong.details?.causes?.[0]?.field], [422, 'metadata.name'])

    const applied = { apiVersion: 'v1', kind: 'ConfigMap', ...configMap('b') }
    await configMaps.apply(applied, { fieldManager: 'me' })
    const other = { ...applied, data: { a: '2' } }
    assert.is((await failure(configMaps.apply(other, { fieldManager: 'you' }))).reason, 'Conflict')
    assert.is((await configMaps.apply(other, { fieldManager: 'you', force: true })).data.a, '2')

    await configMaps.patch('b', { data: { a: '3' } }, { dryRun: true })
    assert.is((await configMaps.get('b')).data.a, '2')
    const gone = configMaps.waitForDeletion('b')
    await configMaps.delete('b')
    await gone
    await configMaps.deleteCollection({ labelSelector: 'odd=1' })
    assert.is((await configMaps.list()).items.length, 3)
  })
})

api('finds types by discovery', async () => {
  await withServer(async client => {
    const kinds = await client.kinds()
    assert.equal(kinds.unavailable, [])
    assert.is(kinds.findByName('cm')?.kind, 'ConfigMap')
    assert.is(kinds.find('Role')?.group, vendor.group('rbac.authorization'))
    await client
      .resource({ ...ref, version: '' })
      .in('default')
      .create(configMap('by-discovery'))
  })
})

api('impersonates a user with fewer permissions', async () => {
  const impersonate = { user: 'jane', groups: ['a', 'b'] }
  await withServer(
    async client => {
      assert.is((await failure(client.resource(ref).in('default').list())).code, 403)
    },
    { impersonate },
  )
})

api('a control loop continues after a restart of the server and sees the changes that it missed', async () => {
  const folder = temporaryFolder()
  const first = await startOrch({ dataDir: folder.path })
  const port = new URL(first.url).port
  const client = await clientFromConfig({ vendor, environment: {}, path: first.adminConfig })
  const configMaps = client.resource(ref).in('default')
  const seen: string[] = []
  await configMaps.create(configMap('x'))
  const stop = await startControlLoop({
    name: 'test',
    client,
    clock: waitingClock,
    logger: fakeLogger(),
    sources: [{ resource: ref, fieldSelector: 'metadata.namespace=default' }],
    async reconcile(key, caches) {
      seen.push(`${key} ${caches.of(ref).get('default', key.slice('default/'.length)) ? 'there' : 'gone'}`)
    },
  })
  let second: RunningServer | undefined
  try {
    await eventually('the first object', () => seen.includes('default/x there'))
    await first.stop()
    second = await startOrch({ dataDir: folder.path, flags: ['--secure-port', port] })
    await configMaps.create(configMap('y'))
    await configMaps.delete('x')
    await eventually('what happened since', () => seen.includes('default/y there') && seen.includes('default/x gone'))
    assert.is(seen.filter(one => one === 'default/x there').length, 1)
  } finally {
    await stop()
    await client.close()
    await first.stop()
    await second?.stop()
    folder.remove()
  }
})

api('a list and a watch that outlive the history start over, without losing or repeating an object', async () => {
  await withServer(
    async client => {
      const configMaps = client.resource<ReturnType<typeof configMap>>(ref).in('default')
      for (const name of ['a', 'b', 'c']) await configMaps.create(configMap(name))
      const { resourceVersion: old } = (await configMaps.list()).metadata
      const names: string[] = []
      for await (const { metadata } of configMaps.each({ limit: 1 })) {
        names.push(metadata.name)
        if (names.length > 1) continue
        // A token that is newer than that of the list: when it has expired, so has the other.
        const token = (await configMaps.list({ limit: 1 })).metadata.continue
        await configMaps.create(configMap('d'))
        await eventually('the token to expire', async () => {
          const answer = await configMaps.list({ limit: 1, continue: token }).catch((error: ApiError) => error)
          return 'code' in answer && answer.code === 410
        })
      }
      assert.equal(names, ['a', 'b', 'c', 'd'])
      for await (const event of configMaps.watchWithResume({ resourceVersion: old })) {
        assert.is(event.type, 'RELISTED')
        assert.is(event.type === 'RELISTED' && event.items.length, 4)
        break
      }
    },
    {},
    ['--watch-history', '500ms'],
  )
})
api.run()
