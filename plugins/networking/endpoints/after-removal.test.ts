import { definePlugin } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { networking } from '../plugin.js'

/** The plugin requires namespaces; these tests need none. */
const namespacesStandIn = definePlugin({ name: 'namespaces', register() {} })
const removal = suite('removing a Service')
const collection = (resource: string) => ({ group: '', version: 'v1', resource })

removal('removes its Endpoints before the response, but not in a dry run', async () => {
  const { client, stop } = await startServer({ plugins: [namespacesStandIn, networking] })
  try {
    const services = client.resource(collection('services')).in('town')
    const endpoints = client.resource(collection('endpoints')).in('town')
    await services.create({ metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } } as never)
    await endpoints.create({ metadata: { name: 'web' }, subsets: [{ addresses: [{ ip: '10.1.0.1' }] }] } as never)
    await services.delete('web', { dryRun: true } as never)
    assert.ok(await endpoints.find('web'))
    await services.delete('web')
    assert.is(await endpoints.find('web'), undefined)
  } finally {
    await stop()
  }
})
removal('with its last finalizer removes them too', async () => {
  const { client, stop } = await startServer({ plugins: [namespacesStandIn, networking] })
  try {
    const services = client.resource(collection('services')).in('town')
    const endpoints = client.resource(collection('endpoints')).in('town')
    await services.create({
      metadata: { name: 'web', finalizers: ['a.test/b'] },
      spec: { ports: [{ port: 80 }] },
    } as never)
    await endpoints.create({ metadata: { name: 'web' } } as never)
    await services.delete('web')
    assert.ok(await endpoints.find('web'))
    await services.patch('web', { metadata: { finalizers: null } } as never)
    assert.is(await endpoints.find('web'), undefined)
  } finally {
    await stop()
  }
})
removal.run()
