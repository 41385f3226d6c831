import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type EnginePlace, startEngines } from '../storage/engines.js'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Two servers a minor version apart on one etcd, as during a rolling upgrade. */

type Json = Record<string, unknown>
interface Answer {
  readonly status: number
  readonly body: Json & { metadata: Json; spec: Json }
}
const jobs = '/apis/batch/v1/namespaces/default/jobs'
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }
/** Only the newer version knows the limit per index. */
const indexed = { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1, template }

const { engines, stop } = await startEngines()
const etcd = engines.find(({ name }) => name === 'etcd')
let place: EnginePlace | undefined
const servers: TestServer[] = []
const folders = [temporaryFolder(), temporaryFolder()]

const skew = suite('two servers a minor version apart on one etcd')
skew.after(async () => {
  for (const server of servers) await server.stop()
  for (const folder of folders) folder.remove()
  place?.remove()
  await stop()
})

async function serve(version: string, at: number, options: Json = {}): Promise<TestServer> {
  const server = await startServer({
    vendor: 'kubernetes',
    kubernetesVersion: version,
    dataDir: folders[at]!.path,
    options: { ...place!.options, ...options },
  })
  servers.push(server)
  return server
}
async function send(server: TestServer, method: string, path: string, body?: unknown, type = 'application/json') {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() } as Answer
}
const must = async (...request: Parameters<typeof send>): Promise<Answer['body']> => {
  const { status, body } = await send(...request)
  assert.ok(status < 300, `${request[1]} ${request[2]}: ${status} ${JSON.stringify(body)}`)
  return body
}

if (etcd) {
  let older: TestServer
  let newer: TestServer
  skew('both start and report their versions', async () => {
    place = etcd.place()
    // The first one leads: a loop of the older one would write the status of Jobs, and with it all that it knows of them.
    newer = await serve('1.28', 0, { featureGates: { JobBackoffLimitPerIndex: 'true' } })
    older = await serve('1.27', 1)
    const versions = await Promise.all([older, newer].map(server => must(server, 'GET', '/version')))
    assert.equal(
      versions.map(({ minor }) => minor),
      ['27', '28'],
    )
  })

  skew('each receives the writes of the other', async () => {
    for (const [writer, watcher, name] of [
      [older, newer, 'from-older'],
      [newer, older, 'from-newer'],
    ] as const) {
      const configMaps = '/api/v1/namespaces/default/configmaps'
      const ended = new AbortController()
      const watch = await fetch(`${watcher.baseUrl}${configMaps}?watch=true&fieldSelector=metadata.name=${name}`, {
        headers: { authorization: `Bearer ${watcher.token}` },
        signal: ended.signal,
      })
      await must(writer, 'POST', configMaps, { metadata: { name }, data: { a: 'b' } })
      const { value } = await watch.body!.getReader().read()
      const event = JSON.parse(Buffer.from(value!).toString()) as { type: string; object: Answer['body'] }
      assert.equal([event.type, event.object.metadata['name'], event.object['data']], ['ADDED', name, { a: 'b' }])
      ended.abort()
    }
  })

  skew(
    'a field that the older one does not support is hidden there, kept, and dropped by its next write, as in Kubernetes',
    async () => {
      for (const [name, write] of [
        ['put', (found: Json) => must(older, 'PUT', `${jobs}/put`, found)],
        ['patched', () => must(older, 'PATCH', `${jobs}/patched`, labelled, 'application/merge-patch+json')],
      ] as const) {
        const path = `${jobs}/${name}`
        const made = await must(newer, 'POST', jobs, { metadata: { name }, spec: { ...indexed, suspend: true } })
        assert.is(made.spec['backoffLimitPerIndex'], 1)
        const found = await must(older, 'GET', path)
        assert.not('backoffLimitPerIndex' in found.spec)
        assert.is((await must(newer, 'GET', path)).spec['backoffLimitPerIndex'], 1, 'reading changes nothing')
        // Whatever version it has by now: the loop writes its status.
        await write({ ...found, metadata: { ...found.metadata, ...labelled.metadata, resourceVersion: undefined } })
        const after = await must(newer, 'GET', path)
        assert.not('backoffLimitPerIndex' in after.spec)
        assert.is((after.metadata['labels'] as Json)['written'], 'by-the-older')
      }
    },
  )

  skew('loops run once: a Job with two Pods gets two Pods', async () => {
    await must(older, 'POST', jobs, { metadata: { name: 'two' }, spec: { parallelism: 2, completions: 2, template } })
    const pods = '/api/v1/namespaces/default/pods?labelSelector=job-name=two'
    const count = async (server: TestServer) => ((await must(server, 'GET', pods))['items'] as unknown[]).length
    await eventually('the Pods of the Job', async () => (await count(older)) >= 2, 60_000)
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'
    const holders = (await must(newer, 'GET', leases))['items'] as Answer['body'][]
    const leading = holders.filter(
      ({ metadata }) => !('apiserver.kubernetes.io/identity' in ((metadata['labels'] ?? {}) as Json)),
    )
    assert.ok(leading.length > 0, 'somebody leads')
    // A second leader would have made its Pods by now: both see every change at once.
    await new Promise(resolve => setTimeout(resolve, 2_000))
    assert.equal([await count(older), await count(newer)], [2, 2])
  })
}
const labelled = { metadata: { labels: { written: 'by-the-older' } } }

skew.run()
