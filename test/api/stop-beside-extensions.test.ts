import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { aggregation } from 'orch/plugins/aggregation'
import { customResources } from 'orch/plugins/custom-resources'
import { namespaces } from 'orch/plugins/namespaces'
import { networking } from 'orch/plugins/networking'
import { webhooks } from 'orch/plugins/webhooks'
import type { ApiObject } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'

test('an extension server that accepts connections and never answers does not delay the shutdown', async () => {
  const sockets: Socket[] = []
  const silent = createServer(socket => void sockets.push(socket.resume().on('error', () => {}))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const server = await startServer({ plugins: [namespaces, networking, webhooks, customResources, aggregation] })
  try {
    const resource = (name: string, group = '') =>
      server.client.resource<ApiObject>({ group, version: 'v1', resource: name })
    const spec = { type: 'ExternalName', externalName: '127.0.0.1' }
    await resource('namespaces').create({ metadata: { name: 'farm' } })
    await resource('services')
      .in('farm')
      .create({ metadata: { name: 'fruit' }, spec })
    await resource('apiservices', 'apiregistration.orch.io').create({
      metadata: { name: 'v1.fruit.test' },
      spec: {
        group: 'fruit.test',
        version: 'v1',
        groupPriorityMinimum: 1500,
        versionPriority: 10,
        service: { namespace: 'farm', name: 'fruit', port },
        insecureSkipTLSVerify: true,
      },
    })
    await eventually('a request to the extension server', () => sockets.length > 0, 60_000)
  } finally {
    await server.stop()
  }
  try {
    // It would be retried three times, each time with the full connection timeout.
    assert.is(sockets.length, 1)
    await eventually('the connection to be closed', () => sockets.every(({ destroyed }) => destroyed))
  } finally {
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})

test.run()
