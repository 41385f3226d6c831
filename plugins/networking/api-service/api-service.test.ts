import { type ApiObject, definePlugin } from 'orch/sdk'
import type { Endpoints, Service } from 'orch/sdk/core'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { networking } from '../plugin.js'
import { advertisedAddress } from './api-service.js'

/** The plugin requires namespaces; these tests need none. */
const namespacesStandIn = definePlugin({ name: 'namespaces', register() {} })

const own = suite('the service of the server itself')

own('has the first address of the range, and endpoints where the server listens', async () => {
  const server = await startServer({ plugins: [namespacesStandIn, networking({ advertiseAddress: '192.0.2.7' })] })
  try {
    const core = <T>(resource: string) => server.client.resource<ApiObject & T>({ group: '', version: 'v1', resource })
    const service = await core<Service>('services')
      .in('default')
      .waitFor('orch', () => true)
    assert.is(service.spec?.clusterIP, '10.0.0.1')
    const { subsets } = await core<Endpoints>('endpoints')
      .in('default')
      .waitFor('orch', () => true)
    const port = Number(new URL(server.baseUrl).port)
    assert.equal(subsets, [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port, protocol: 'TCP' }] }])
  } finally {
    await server.stop()
  }
})

const cases: Record<string, { url: string; configured: string; ip?: string; port: number }> = {
  'is where it listens': { url: 'https://192.0.2.1:6443', configured: '', ip: '192.0.2.1', port: 6443 },
  'is what was configured': { url: 'https://192.0.2.1', configured: '192.0.2.9', ip: '192.0.2.9', port: 443 },
  'may be of the other family': { url: 'http://[2001:db8::1]', configured: '', ip: '2001:db8::1', port: 80 },
}
for (const [title, { url, configured, ip, port }] of Object.entries(cases))
  own(`the address ${title}`, () => {
    assert.equal(advertisedAddress(url, configured), { ip, port })
  })
own('the address is never a loopback address', () => {
  const found = advertisedAddress('https://127.0.0.1:6443', '')
  assert.not.match(found?.ip ?? '', /^127\./)
})

own.run()
