import { setTimeout as sleep } from 'node:timers/promises'
import { defineAdmission, definePlugin, defineResource, Kind } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const things = defineResource({
  group: 'acme.test',
  kind: 'Thing',
  resource: 'things',
  namespaced: false,
  versions: [{ name: 'v1', schema: Kind('things.v1.Thing', {}) }],
})
const names = ['a', 'b', 'c', 'd']

const deletion = suite('deletion of a collection')

deletion('whoever is asked outside hears of the objects in their order', async () => {
  const heard: string[] = []
  const control = defineAdmission()({
    name: 'SlowWebhook',
    phase: 'validate',
    sideEffects: 'none',
    matches: { group: 'acme.test', operations: ['delete'] },
    async review(request) {
      request.releaseLock()
      // Earlier ones take longer to be answered: side by side, later ones would overtake them.
      await sleep(40 - 10 * names.indexOf(request.name))
      heard.push(request.name)
    },
  })
  const plugin = definePlugin({
    name: 'things',
    register(to) {
      to.resource(things)
      to.admission(control)
    },
  })
  const server = await startServer({ plugins: [plugin] })
  try {
    const all = server.client.of(things)
    for (const name of names) await all.create({ metadata: { name } })
    await all.deleteCollection({})
    assert.equal(heard, names)
    assert.equal((await all.list()).items, [])
  } finally {
    await server.stop()
  }
})

deletion('of a part tells the clients of the reference how to go on', async () => {
  const plugin = definePlugin({ name: 'things', register: to => to.resource(things) })
  const server = await startServer({ plugins: [plugin], vendor: 'kubernetes' })
  try {
    for (const name of names) await server.client.of(things).create({ metadata: { name } })
    const response = await fetch(`${server.baseUrl}/apis/acme.test/v1/things?limit=1`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${server.token}` },
    })
    const { items, metadata } = (await response.json()) as { items: object[]; metadata: Record<string, unknown> }
    assert.is(items.length, 1)
    assert.type(metadata['continue'], 'string')
    assert.is(metadata['remainingItemCount'], 3)
  } finally {
    await server.stop()
  }
})

deletion.run()
