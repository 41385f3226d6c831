import { defineAdmission, definePlugin, reinvoke } from 'orch/sdk'
import { makeNamespace, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { workloads } from '../../plugin.js'
import type { Service } from '../schema.js'

/** Has all mutating controls look at everything twice, as a webhook does that changed something. */
const looksTwice = definePlugin({
  name: 'looks-twice',
  register: to =>
    to.admission(defineAdmission()({ name: 'Twice', phase: 'mutate', sideEffects: 'none', review: () => reinvoke })),
})

const addresses = suite('addresses of services')

addresses('a service keeps the address it was given when controls look at it a second time', async () => {
  const server = await startServer({ plugins: ['orch/plugins/namespaces', workloads, looksTwice] })
  try {
    await makeNamespace(server, 'town')
    const all = server.client.resource<Service>({ group: '', version: 'v1', resource: 'services' }).in('town')
    const spec = { type: 'NodePort', ports: [{ port: 80 }] }
    const named = await all.create({ metadata: { name: 'web' }, spec })
    assert.match(named.spec?.clusterIP ?? '', /^10\./)
    const unnamed = await all.create({ metadata: { generateName: 'web-' }, spec })
    assert.is.not(unnamed.spec?.clusterIP, named.spec?.clusterIP)
    const taken = { metadata: { name: 'thief' }, spec: { ...spec, clusterIP: named.spec!.clusterIP! } }
    const refusal = await all.create(taken).catch((thrown: Error) => thrown)
    assert.match((refusal as Error).message, /already allocated/)
  } finally {
    await server.stop()
  }
})

addresses.run()
