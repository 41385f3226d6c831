import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import type { ApiObject } from 'orch/sdk'
import { fakeClock, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prune } from './prune.js'

const hourMs = 3_600_000
const example = suite('a tool, tested against a server inside the test')

example('deletes only old ConfigMaps that are labelled temporary', async () => {
  const clock = fakeClock(Date.parse('2024-01-01T00:00:00Z'))
  const server = await startServer({ plugins: [namespaces, configuration], vendor: 'kubernetes', clock })
  try {
    const { client } = server
    const configMaps = client.resource<ApiObject>({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
    const make = (name: string, labels = {}) => configMaps.create({ metadata: { name, labels } })
    await make('old', { temporary: 'yes' })
    await make('settled')
    await clock.advance(3 * hourMs)
    await make('new', { temporary: 'yes' })

    assert.equal(await prune(client, 'default', 2, clock.now()), ['old'])
    const left = (await configMaps.list()).items.map(({ metadata }) => metadata.name)
    assert.equal(left, ['new', 'settled'])
  } finally {
    await server.stop()
  }
})

example.run()
