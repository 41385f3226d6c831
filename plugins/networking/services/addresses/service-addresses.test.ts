import { ApiError, defineAdmission, definePlugin, reinvoke } from 'orch/sdk'
import type { Service } from 'orch/sdk/core'
import { makeNamespace, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { networking } from '../../plugin.js'

/** Causes all mutating controls to run twice, like a webhook that changed the object. */
const looksTwice = definePlugin({
  name: 'looks-twice',
  register: to =>
    to.admission(defineAdmission()({ name: 'Twice', phase: 'mutate', sideEffects: 'none', review: () => reinvoke })),
})

const addresses = suite('addresses of services')

addresses('a service keeps its allocated address when controls run a second time', async () => {
  const server = await startServer({ plugins: ['orch/plugins/namespaces', networking, looksTwice] })
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

const inTown = async () => {
  const server = await startServer({ plugins: ['orch/plugins/namespaces', networking] })
  await makeNamespace(server, 'town')
  const all = server.client.resource<Service>({ group: '', version: 'v1', resource: 'services' }).in('town')
  const answer = async (name: string, spec: object) => {
    const cpu = process.cpuUsage()
    const made = await all.create({ metadata: { name }, spec }).catch((thrown: ApiError) => thrown)
    const ms = process.cpuUsage(cpu).user / 1000
    assert.ok(ms < 1000, `${name} took ${ms} ms`)
    return made instanceof ApiError ? made.code : made.spec
  }
  return { server, all, answer }
}

addresses('a node port that the type does not use is rejected, also the second time', async () => {
  const { server, answer } = await inTown()
  try {
    const ports = [{ port: 80, nodePort: 30_080 }]
    const local = { externalTrafficPolicy: 'Local', healthCheckNodePort: 30_081 }
    const wrong: Record<string, object> = {
      cluster: { type: 'ClusterIP', ports },
      headless: { type: 'ClusterIP', clusterIP: 'None', ports },
      health: { type: 'NodePort', ports: [{ port: 80 }], ...local },
      'health-cluster': { type: 'ClusterIP', ports: [{ port: 80 }], ...local },
      'external-health': { type: 'ExternalName', externalName: 'x.example.com', ...local },
    }
    for (const [name, spec] of Object.entries(wrong))
      for (const turn of ['one', 'two']) assert.is(await answer(`${name}-${turn}`, spec), 422, `${name} ${turn}`)
    for (const name of ['a', 'b'])
      await answer(`external-${name}`, { type: 'ExternalName', externalName: 'x.io', ports })
    // None of them took the port.
    assert.type(await answer('right', { type: 'NodePort', ports }), 'object')
    assert.is(await answer('late', { type: 'NodePort', ports }), 422)
  } finally {
    await server.stop()
  }
})

addresses('addresses and ports of a deleted or changed service can be reused immediately', async () => {
  const { server, all, answer } = await inTown()
  try {
    const spec = {
      type: 'NodePort',
      clusterIP: '10.0.0.77',
      ports: [{ port: 80, nodePort: 30_090 }],
    }
    const balanced = { ...spec, type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30_091 }
    assert.type(await answer('first', balanced), 'object')
    assert.is(await answer('second', spec), 422)
    await all.delete('first')
    assert.type(await answer('second', balanced), 'object')
    await all.delete('second')
    const made = await all.create({ metadata: { generateName: 'made-' }, spec })
    await all.delete(made.metadata?.name ?? '')
    assert.type(await answer('third', spec), 'object')
    const stored = await all.get('third')
    await all.update({ ...stored, spec: { ...stored.spec, type: 'ClusterIP', ports: [{ port: 80 }] } })
    assert.type(await answer('fourth', { type: 'NodePort', ports: spec.ports }), 'object')
  } finally {
    await server.stop()
  }
})

addresses('two services cannot have one address in two spellings', async () => {
  const ranged = networking({ serviceClusterIpRange: '10.8.0.0/24,fd00:8::/112' })
  for (const kubernetesVersion of ['1.32', '1.36']) {
    const plugins = ['orch/plugins/namespaces', ranged]
    const server = await startServer({ vendor: 'kubernetes', kubernetesVersion, plugins })
    try {
      await makeNamespace(server, 'town')
      const all = server.client.resource<Service>({ group: '', version: 'v1', resource: 'services' }).in('town')
      const answer = async (name: string, clusterIP: string) => {
        const spec = { clusterIP, ipFamilies: [clusterIP.includes(':') ? 'IPv6' : 'IPv4'], ports: [{ port: 80 }] }
        const made = await all.create({ metadata: { name }, spec }).catch((thrown: Error) => thrown)
        return made instanceof Error ? made.message : made.spec?.clusterIP
      }
      assert.is(await answer('six', 'FD00:8:0::0009'), 'FD00:8:0::0009')
      assert.match(String(await answer('six-again', 'fd00:8::9')), /already allocated/)
      assert.is(await answer('four', '10.8.0.9'), '10.8.0.9')
      const again = kubernetesVersion === '1.36' ? /spec\.clusterIPs\[0\]: .*leading 0s/ : /already allocated/
      assert.match(String(await answer('four-again', '10.8.0.09')), again)
      await all.delete('six')
      assert.is(await answer('six-again', 'fd00:8::9'), 'fd00:8::9')
    } finally {
      await server.stop()
    }
  }
})

addresses.run()
