import { readFileSync } from 'node:fs'
import { type ApiObject, orchProfile, Vendor } from 'orch/sdk'
import { allowRequest, clientFromConfig, startWebhookServer } from 'orch/sdk/client'
import { selfSignedServer, startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../support/rejects.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const kit = suite('the test server')
const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
const named = (name: string): ApiObject => ({ metadata: { name } })

async function inServer(options: Parameters<typeof startServer>[0], use: (server: TestServer) => Promise<void>) {
  const server = await startServer(options)
  try {
    await use(server)
  } finally {
    await server.stop()
    await server.stop()
  }
}
const namesIn = async ({ client }: TestServer, namespace: string): Promise<(string | undefined)[]> =>
  (await client.resource<ApiObject>(configMaps).in(namespace).list()).items.map(({ metadata }) => metadata.name)

const definition = (domain: string) => `# what an author has in a folder
apiVersion: apiextensions.${domain}/v1
kind: CustomResourceDefinition
metadata: { name: boats.harbour.test }
spec:
  group: harbour.test
  scope: Namespaced
  names: { plural: boats, singular: boat, kind: Boat }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-${domain === 'k8s.io' ? 'kubernetes' : 'orch'}-preserve-unknown-fields: true } } }
---
`
const boats = { group: 'harbour.test', version: 'v1', resource: 'boats' }

for (const [vendor, domain] of [
  ['orch', 'orch.io'],
  ['kubernetes', 'k8s.io'],
] as const)
  kit(`has every plugin, definitions and webhooks, as ${vendor}`, async () => {
    const folder = temporaryFolder()
    const lines: string[] = []
    await inServer({ vendor, log: line => void lines.push(line) }, async server => {
      folder.write('boats.yaml', definition(domain))
      folder.write('notes.txt', 'no manifest')
      const [installed] = await server.installCrds(folder.path)
      assert.is(installed?.metadata.name, 'boats.harbour.test')
      await server.installCrds(folder.path)
      const hook = await selfSignedServer()
      const webhooks = await startWebhookServer({
        ...hook,
        handlers: { '/paint': () => allowRequest({ patch: [{ op: 'add', path: '/color', value: 'red' }] }) },
      })
      try {
        const group = `admissionregistration.${domain}`
        await server.installWebhooks({
          url: webhooks.url,
          caPem: hook.certificatePem,
          configurations: [
            {
              apiVersion: `${group}/v1`,
              kind: 'MutatingWebhookConfiguration',
              metadata: { name: 'paint' },
              webhooks: [
                {
                  name: 'paint.harbour.test',
                  admissionReviewVersions: ['v1'],
                  sideEffects: 'None',
                  clientConfig: { service: { name: 'paint', namespace: 'default', path: '/paint' } },
                  rules: [
                    { apiGroups: ['harbour.test'], apiVersions: ['v1'], resources: ['boats'], operations: ['CREATE'] },
                  ],
                },
              ],
            } as ApiObject,
          ],
        })
        const boat = await server.client.resource<ApiObject>(boats).in('default').create(named('one'))
        assert.is((boat as ApiObject & { color?: string }).color, 'red')
      } finally {
        await webhooks.close()
      }
      assert.ok(lines.some(line => line.includes('"message":"serving"')))
    })
    folder.remove()
  })

kit('is reset to its initial state', () =>
  inServer({ vendor: 'kubernetes', options: { controllers: ['-*'] } }, async server => {
    const { client } = server
    const maps = client.resource<ApiObject>(configMaps).in('default')
    await maps.create(named('kept'))
    await server.snapshot()
    const from = (await maps.list()).metadata.resourceVersion
    const events: string[] = []
    const watching = (async () => {
      for await (const { type, object } of maps.watch({ resourceVersion: from })) {
        events.push(`${type} ${object.metadata.name} ${(object as { data?: object }).data ? 'full' : 'empty'}`)
        if (events.length === 4) return
      }
    })()
    await maps.patch('kept', { data: { a: 'b' } })
    await maps.create(named('new'))
    await client.resource<ApiObject>(namespaces).create(named('town'))
    await client.resource<ApiObject>(configMaps).in('town').create(named('inside'))
    await server.reset()
    assert.equal(await namesIn(server, 'default'), ['kept'])
    assert.is((await maps.get('kept'))['data' as keyof ApiObject], undefined)
    assert.is(await client.resource(namespaces).find('town'), undefined)
    await watching
    assert.equal(events.slice(0, 2), ['MODIFIED kept full', 'ADDED new empty'])
    assert.equal(events.slice(2).sort(), ['DELETED new empty', 'MODIFIED kept empty'])
    await maps.create(named('new'))
    await server.reset()
    assert.equal(await namesIn(server, 'default'), ['kept'])
  }),
)

for (const by of ['token', 'certificate'] as const)
  kit(`authenticates users by ${by}, who have the permissions of their roles`, () =>
    inServer({ vendor: 'kubernetes', tls: true }, async server => {
      const user = await server.addUser({ name: 'jane', groups: ['sailors', 'cooks'], by })
      const refusal = await rejects(user.client.resource(configMaps).in('default').list())
      assert.match(refusal.message, /User "jane" cannot list resource "configmaps"/)
      const group = 'rbac.authorization.k8s.io'
      const bindings = { group, version: 'v1', resource: 'clusterrolebindings' }
      await server.client.resource<ApiObject>(bindings).create({
        metadata: { name: 'cooks' },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: group, kind: 'Group', name: 'cooks' }],
      } as ApiObject)
      assert.is((await user.client.resource(configMaps).in('default').list()).kind, 'ConfigMapList')
      assert.equal(JSON.parse(readFileSync(user.kubeconfigPath, 'utf8')), user.kubeconfig)
    }),
  )

kit('has a client config that other clients can use', () =>
  inServer({ tls: true }, async server => {
    const client = await clientFromConfig({
      path: server.kubeconfigPath,
      vendor: new Vendor(orchProfile),
      environment: {},
    })
    try {
      await client.resource<ApiObject>(configMaps).in('default').create(named('one'))
    } finally {
      await client.close()
    }
    assert.ok((await namesIn(server, 'default')).includes('one'))
  }),
)

kit('has no certificates for users without TLS, and reports that', () =>
  inServer({ plugins: [] }, async server => {
    await rejects(server.addUser({ name: 'jane', by: 'certificate' }), /start the server with tls: true/)
  }),
)

kit.run()
