import { createClient, httpTransport } from 'orch/sdk/client'
import {
  describeConformance,
  makeNamespace,
  pluginConformance,
  resourceConformance,
  startServer,
  type TestServer,
} from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { brokenPlugins } from './broken-plugins.js'
import { gadgetPlugin, gadgetSamples, gadgets } from './gadgets.js'
import { TamperingProxy } from './tampering-proxy.js'
import { tampers } from './tampers.js'

const { valid, invalid, update } = gadgetSamples.samples['gadgets.acme.test']
const casesOn = (server: () => Promise<TestServer>) =>
  resourceConformance({ resource: gadgets, server, valid, invalid, update } as never)
const titleOf = (name: string) => name.replace('Gadget: ', '')
/** Without a server: only for the titles. */
const titles = casesOn(() => Promise.reject(new Error('not started'))).map(({ name }) => titleOf(name))

/** A server behind a proxy that tampers with responses. */
async function behindProxy(test: (proxy: TamperingProxy, server: () => Promise<TestServer>) => Promise<void>) {
  const real = await startServer({ plugins: [gadgetPlugin()], options: { controllers: [] } })
  const proxy = new TamperingProxy(real.baseUrl)
  const baseUrl = await proxy.listen()
  const transport = httpTransport({ server: baseUrl, credentials: { token: real.token } })
  try {
    await makeNamespace(real, 'conformance')
    // A new server each time, so that cached data of one, such as its OpenAPI, is not used for the next.
    await test(proxy, async () => ({ ...real, baseUrl, client: createClient({ transport }) }))
  } finally {
    await transport.close()
    await proxy.close()
    await real.stop()
  }
}

const checks = suite('each check can fail')

checks('every case has a server that fails it', () => {
  assert.equal(Object.keys(tampers).sort(), [...titles].sort())
})

checks('every case fails if the proxy tampers with what it checks', () =>
  behindProxy(async (proxy, server) => {
    const believed: string[] = []
    for (const [title, tamper] of Object.entries(tampers)) {
      proxy.tamper = tamper
      const { run } = casesOn(server).find(({ name }) => titleOf(name) === title)!
      const isFooled = await run().then(
        () => true,
        () => false,
      )
      if (isFooled) believed.push(title)
      proxy.tamper = {}
      const all = (await server()).client.resource({ group: 'acme.test', version: 'v1', resource: 'gadgets' })
      await all.in('conformance').deleteCollection()
    }
    assert.equal(believed, [])
  }),
)

checks('a plugin without defects passes every check, and each check fails for some defect', async () => {
  const report = await pluginConformance({ plugin: gadgetPlugin(), given: gadgetSamples, samples: 20 })
  assert.is(report.failed, 0, describeConformance(report))
  assert.is(report.skipped, 0, describeConformance(report))
  const found = Object.values(brokenPlugins).map(({ finds }) => finds)
  const isProven = (title: string) => title in tampers || found.some(part => title.includes(part))
  assert.equal(
    report.results.map(({ title }) => title).filter(title => !isProven(title)),
    [],
  )
})

checks.run()
