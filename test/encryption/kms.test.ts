import { randomBytes } from 'node:crypto'
import { configuration } from 'orch/plugins/configuration'
import { encryption } from 'orch/plugins/encryption'
import { namespaces } from 'orch/plugins/namespaces'
import type { ApiObject } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startKmsPlugin } from '../../plugins/encryption/testing/kms-plugin.js'
import { type EnginePlace, startEngines } from '../storage/engines.js'
import { rejects } from '../support/rejects.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type Provider, writeConfiguration } from './encryption-files.js'

const kms = suite('encryption with a KMS plugin')
const { engines, stop } = await startEngines()
const plugin = await startKmsPlugin()
const folder = temporaryFolder()
kms.after(async () => {
  folder.remove()
  await plugin.remove()
  await stop()
})

const provider: Provider = { kms: { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint } }
const encryptionProviderConfig = writeConfiguration(folder, [provider])
type Secret = ApiObject & { data?: Record<string, string> }
const secretsOf = ({ client }: TestServer) =>
  client.resource<Secret>({ group: '', version: 'v1', resource: 'secrets' }).in('default')
const text = (value: string) => ({ a: Buffer.from(value).toString('base64') })

const start = (place: EnginePlace, dataDir = place.dataDir): Promise<TestServer> => {
  const plugins = [namespaces, configuration, encryption, ...place.plugins]
  return startServer({ plugins, dataDir, options: { ...place.options, encryptionProviderConfig } })
}

for (const engine of engines) {
  kms(`${engine.name}: a new process reads what another wrote, and the plugin is called once`, async () => {
    const place = engine.place()
    try {
      const first = await start(place)
      for (let index = 0; index < 20; index++)
        await secretsOf(first).create({ metadata: { name: `s${index}` }, data: text(`value ${index}`) })
      await first.stop()
      const before = plugin.calls.decrypt
      const second = await start(place)
      const { items } = await secretsOf(second).list()
      assert.is(items.length, 20)
      assert.equal((await secretsOf(second).get('s7')).data, text('value 7'))
      assert.is(plugin.calls.decrypt, before + 1)
      await second.stop()
    } finally {
      place.remove()
    }
  })
}

kms('two servers on one etcd read the writes of each other, each with its own key', async () => {
  const etcd = engines.find(({ name }) => name === 'etcd')
  if (!etcd) return
  const place = etcd.place()
  const other = temporaryFolder()
  const servers = [await start(place), await start(place, other.path)] as const
  try {
    const [one, two] = servers
    const { metadata } = await secretsOf(two).list()
    const seen: string[] = []
    const watching = (async () => {
      for await (const { type, object } of secretsOf(two).watch({
        resourceVersion: metadata.resourceVersion ?? '',
        timeoutSeconds: 60,
      })) {
        seen.push(`${type} ${object.metadata.name} ${Buffer.from(object.data?.a ?? '', 'base64')}`)
        if (seen.length === 4) return
      }
    })()
    await secretsOf(one).create({ metadata: { name: 'a' }, data: text('of one') })
    await secretsOf(two).create({ metadata: { name: 'b' }, data: text('of two') })
    await secretsOf(two).patch('a', { data: text('changed by two') })
    await secretsOf(one).patch('b', { data: text('changed by one') })
    await watching
    assert.equal(seen, ['ADDED a of one', 'ADDED b of two', 'MODIFIED a changed by two', 'MODIFIED b changed by one'])
  } finally {
    await Promise.all(servers.map(server => server.stop()))
    place.remove()
    other.remove()
  }
})

kms('a server whose plugin is unavailable reports that, and rejects Secrets', async () => {
  const place = engines[0]!.place()
  await plugin.stop()
  const server = await start(place)
  try {
    const name = `s${randomBytes(4).toString('hex')}`
    await rejects(secretsOf(server).create({ metadata: { name }, data: text('a') }), /"vault" does not answer/)
    const health = await fetch(`${server.baseUrl}/readyz?verbose`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    assert.match(await health.text(), /\[-\]kms-providers failed/)
  } finally {
    await server.stop()
    await plugin.start()
    place.remove()
  }
})

kms.run()
