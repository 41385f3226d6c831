import { randomUUID } from 'node:crypto'
import { configuration } from 'orch/plugins/configuration'
import type { ApiObject } from 'orch/sdk'
import { startServer, storeContract } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryEngine, memoryStorage } from './plugin.js'

const hourMs = 3_600_000
const engine = suite('a storage engine of your own')

const open = (dataDir: string = randomUUID(), now: () => number = Date.now) =>
  memoryEngine.open({ dataDir, historyMs: hourMs, now, warn: () => {} })
for (const { name, run } of storeContract(open)) engine(name, run)

engine('removes history that is older than its retention time', async () => {
  let now = 0
  const store = await open(undefined, () => now)
  const body = Buffer.from('{"metadata":{}}')
  for (const key of ['/a', '/b']) await store.write({ key, body })
  now += 3 * hourMs
  await store.write({ key: '/a', body })
  assert.equal((await store.stats()).historyEntries, 1)
  assert.is(await store.count('/'), 2)
  await store.close()
})

engine('works as the store of a server', async () => {
  const server = await startServer({ plugins: [configuration, memoryStorage], options: { storageEngine: 'memory' } })
  try {
    const maps = server.client.resource<ApiObject>({ group: '', version: 'v1', resource: 'configmaps' }).in('town')
    const names: string[] = []
    const stop = new AbortController()
    const { metadata } = await maps.list()
    const watching = (async () => {
      for await (const event of maps.watch({ resourceVersion: metadata.resourceVersion, signal: stop.signal })) {
        names.push(`${event.type} ${(event.object as ApiObject).metadata.name}`)
        if (names.length === 3) return
      }
    })()
    for (const name of ['a', 'b']) await maps.create({ metadata: { name, labels: { name } } })
    await maps.delete('a')
    await watching
    stop.abort()
    assert.equal(names, ['ADDED a', 'ADDED b', 'DELETED a'])
    assert.is((await maps.list({ labelSelector: 'name=b' })).items.length, 1)
  } finally {
    await server.stop()
  }
})

engine.run()
