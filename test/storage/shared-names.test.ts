import { ApiError, type ApiObject } from 'orch/sdk'
import type { Service } from 'orch/sdk/core'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { startEngines } from './engines.js'

const names = suite('names that only one object may have, with two servers on one etcd')

const { engines, stop } = await startEngines()
const engine = engines.find(({ name }) => name === 'etcd')

type StoredService = ApiObject & Service
const servicesOf = ({ client }: TestServer) =>
  client.resource<StoredService>({ group: '', version: 'v1', resource: 'services' }).in('default')
const namesIn = async (server: TestServer) =>
  (await servicesOf(server).list()).items.flatMap(({ metadata: { name = '' } }) =>
    name === 'kubernetes' ? [] : [name],
  )
const portsOf = ({ spec }: Service) => (spec?.ports ?? []).map(({ nodePort }) => nodePort)
const body = (name: string, nodePort?: number) =>
  ({
    metadata: { name },
    spec: { type: 'NodePort', ports: [{ port: 80, ...(nodePort === undefined ? {} : { nodePort }) }] },
  }) as StoredService

/** Two servers, each with data of its own, that share a store. */
const servers: TestServer[] = []
names.before(async () => {
  const place = engine?.place()
  if (!place) return
  const other = temporaryFolder()
  names.after(() => {
    place.remove()
    other.remove()
  })
  const options = { ...place.options, serviceNodePortRange: '30000-30039' }
  for (const dataDir of [place.dataDir, other.path])
    servers.push(await startServer({ vendor: 'kubernetes', dataDir, options }))
})
names.after(async () => {
  for (const server of servers) await server.stop()
  await stop()
})
names.after.each(async () => {
  for (const name of await namesIn(servers[0]!)) await servicesOf(servers[0]!).delete(name)
})
/** The code of a refusal; 0 for success. */
const codeOf = (trying: Promise<unknown>) =>
  trying.then(
    () => 0,
    error => {
      if (error instanceof ApiError) return error.code
      throw error
    },
  )

if (engine === undefined) console.log('SKIP etcd is not installed')
else {
  names('a port that is requested from both concurrently is allocated once, and again when it is free', async () => {
    for (let round = 0; round < 5; round++) {
      const port = 30_000 + round
      const made = servers.map((server, i) => codeOf(servicesOf(server).create(body(`asked-${round}-${i}`, port))))
      const codes = await Promise.all(made)
      assert.is(codes.filter(code => code === 0).length, 1, `answers ${codes}`)
      assert.ok([422, 429].includes(Math.max(...codes)), `answers ${codes}`)
      const winner = codes.indexOf(0)
      await servicesOf(servers[1 - winner]!).delete(`asked-${round}-${winner}`)
      await eventually('the port to be free', async () => {
        const code = await codeOf(servicesOf(servers[winner]!).create(body(`again-${round}`, port)))
        return code === 0
      })
    }
  })
  names('concurrent allocations of both differ', async () => {
    const create = (server: TestServer, name: string): Promise<true> =>
      eventually(`${name} to be created`, async () => {
        const code = await codeOf(servicesOf(server).create(body(name)))
        // Full it looks also while others hold ports that they will not get.
        assert.ok([0, 422, 429].includes(code), `answered ${code}`)
        return code === 0
      })
    // As many as there are ports: at the end there is hardly a choice.
    const wanted = Array.from({ length: 40 }, (_, i) => create(servers[i % 2]!, `given-${i}`))
    await Promise.all(wanted)
    const { items } = await servicesOf(servers[0]!).list()
    const ports = items.flatMap(portsOf).filter(port => port !== undefined)
    assert.is(ports.length, 40)
    assert.is(new Set(ports).size, 40)
  })
  names('a port that a Service releases is available immediately', async () => {
    const [one, two] = servers
    const made = await servicesOf(one!).create(body('first', 30_001))
    await servicesOf(one!).update({
      ...made,
      spec: { ...made.spec, type: 'ClusterIP', ports: [{ port: 80 }] },
    } as never)
    await eventually(
      'the port to be free',
      async () => (await codeOf(servicesOf(two!).create(body('second', 30_001)))) === 0,
    )
    assert.is(await codeOf(servicesOf(one!).create(body('third', 30_001))), 422)
  })
}

names.run()
