import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregation } from 'orch/plugins/aggregation'
import { customResources } from 'orch/plugins/custom-resources'
import { namespaces } from 'orch/plugins/namespaces'
import { networking } from 'orch/plugins/networking'
import { webhooks } from 'orch/plugins/webhooks'
import { type ApiObject, definePlugin, defineResource, Kind, Type } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { startServer, type TestServer, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { Extension, group as fruitGroup } from './fruit-extension.js'

/** A definition may have the name of a served type: neither it nor its deletion may touch the objects of that type. */
const names = suite('definitions with names that are already served')

const definitionsOf = (client: Client) =>
  client.resource<ApiObject>({ group: 'apiextensions.orch.io', version: 'v1', resource: 'customresourcedefinitions' })

const definitionFor = (group: string, plural: string, kind: string, version = 'v1', served = true) => ({
  metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.orch.io': 'https://example.com/1' } },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [{ name: version, served, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
})
interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
}
const condition = ({ status }: ApiObject, type: string) =>
  (status as { conditions?: Condition[] | null }).conditions?.find(each => each.type === type)
const isEstablished = (object: ApiObject) => condition(object, 'Established')?.status === 'True'
const isRefused = (object: ApiObject) => condition(object, 'Established')?.reason === 'NotAccepted'
const patience = { timeoutMs: 20_000 }

const networkGroup = 'networking.orch.io'
for (const version of ['v1', 'v7'])
  names(`the type of a plugin, at ${version}: refused, and deleting the definition deletes no object`, async () => {
    const server = await startServer({ plugins: [namespaces, webhooks, networking, customResources] })
    try {
      const { client } = server
      const policies = client
        .resource<ApiObject>({ group: networkGroup, version: 'v1', resource: 'networkpolicies' })
        .in('default')
      await policies.create({ metadata: { name: 'mine' }, spec: { podSelector: {} } })
      const definitions = definitionsOf(client)
      const definition = definitionFor(networkGroup, 'networkpolicies', 'NetworkPolicy', version)
      const { name } = definition.metadata
      await definitions.create(definition)
      const refused = await definitions.waitFor(name, isRefused, patience)
      assert.is(condition(refused, 'NamesAccepted')?.reason, 'KindConflict')
      assert.equal((refused['status'] as { acceptedNames: object }).acceptedNames, {
        plural: '',
        kind: '',
        listKind: 'NetworkPolicyList',
        singular: 'networkpolicy',
      })
      await definitions.delete(name)
      await definitions.waitForDeletion(name, patience)
      assert.is((await policies.get('mine')).metadata.deletionTimestamp, undefined)
    } finally {
      await server.stop()
    }
  })

names('the kind of a plugin under another plural name: refused', async () => {
  const server = await startServer({ plugins: [namespaces, webhooks, networking, customResources] })
  try {
    const definitions = definitionsOf(server.client)
    await definitions.create(definitionFor(networkGroup, 'policies', 'NetworkPolicy'))
    const refused = await definitions.waitFor(`policies.${networkGroup}`, isRefused, patience)
    assert.is(condition(refused, 'NamesAccepted')?.reason, 'KindConflict')
  } finally {
    await server.stop()
  }
})

names('objects of a definition without served versions are deleted with it', async () => {
  const server = await startServer({ plugins: [namespaces, webhooks, customResources] })
  try {
    const definitions = definitionsOf(server.client)
    const name = 'ducks.pond.example.com'
    await definitions.create(definitionFor('pond.example.com', 'ducks', 'Duck'))
    await definitions.waitFor(name, isEstablished, patience)
    const ducks = server.client.resource<ApiObject>({ group: 'pond.example.com', version: 'v1', resource: 'ducks' })
    await ducks.in('default').create({ metadata: { name: 'a' } })
    await definitions.patch(name, { spec: definitionFor('pond.example.com', 'ducks', 'Duck', 'v1', false).spec })
    await definitions.delete(name)
    await definitions.waitForDeletion(name, patience)
    await definitions.create(definitionFor('pond.example.com', 'ducks', 'Duck'))
    await definitions.waitFor(name, isEstablished, patience)
    assert.equal((await ducks.list()).items, [])
  } finally {
    await server.stop()
  }
})

/** A plugin with one type that can be enabled and disabled. */
const boxes = definePlugin({
  name: 'boxes',
  register: to =>
    to.resource(
      defineResource({
        group: 'boxes.example.com',
        kind: 'Box',
        resource: 'boxes',
        namespaced: true,
        versions: [
          {
            name: 'v1',
            schema: Kind('com.example.boxes.v1.Box', {
              spec: Type.Optional(Type.Object({ secret: Type.Optional(Type.String()) })),
            }),
          },
        ],
      }),
    ),
})
const boxRef = { group: 'boxes.example.com', version: 'v1', resource: 'boxes' }

names(
  'a definition loses its name to a plugin that starts serving it, and its deletion leaves the objects to the plugin',
  async () => {
    const dataDir = temporaryFolder().path
    const plugins = [namespaces, webhooks, customResources]
    const before = await startServer({ plugins, dataDir })
    await definitionsOf(before.client).create(definitionFor(boxRef.group, 'boxes', 'Box'))
    await definitionsOf(before.client).waitFor('boxes.boxes.example.com', isEstablished, patience)
    await before.client
      .resource<ApiObject>(boxRef)
      .in('default')
      .create({ metadata: { name: 'a' } })
    await before.stop()
    const after = await startServer({ plugins: [...plugins, boxes], dataDir })
    try {
      const definitions = definitionsOf(after.client)
      await definitions.waitFor('boxes.boxes.example.com', isRefused, patience)
      await definitions.delete('boxes.boxes.example.com')
      await definitions.waitForDeletion('boxes.boxes.example.com', patience)
      assert.is((await after.client.resource<ApiObject>(boxRef).in('default').get('a')).metadata.name, 'a')
    } finally {
      await after.stop()
    }
  },
)

names('objects of a disabled plugin cannot be read through a definition of the same name', async () => {
  const dataDir = temporaryFolder().path
  const plugins = [namespaces, webhooks, customResources]
  const before = await startServer({ plugins: [...plugins, boxes], dataDir })
  await before.client
    .resource<ApiObject>(boxRef)
    .in('default')
    .create({ metadata: { name: 'a' }, spec: { secret: 'x' } })
  await before.stop()
  const without = await startServer({ plugins, dataDir })
  try {
    await definitionsOf(without.client).create(definitionFor(boxRef.group, 'boxes', 'Box'))
    await definitionsOf(without.client).waitFor('boxes.boxes.example.com', isRefused, patience)
    await definitionsOf(without.client).delete('boxes.boxes.example.com')
    await definitionsOf(without.client).waitForDeletion('boxes.boxes.example.com', patience)
  } finally {
    await without.stop()
  }
  const again = await startServer({ plugins: [...plugins, boxes], dataDir })
  try {
    assert.equal((await again.client.resource<ApiObject>(boxRef).in('default').get('a'))['spec'], { secret: 'x' })
  } finally {
    await again.stop()
  }
})

names('an extension server: deleting a definition never deletes its objects, and its names are reserved', async () => {
  const authority = await testAuthority()
  const proxy = await authority.client('front-proxy')
  const folder = temporaryFolder().path
  const [cert, key] = [join(folder, 'proxy.crt'), join(folder, 'proxy.key')]
  writeFileSync(cert, proxy.certificatePem)
  writeFileSync(key, proxy.keyPem)
  const extension = new Extension(await authority.server('fruit.farm.svc'), authority.caPem)
  await new Promise<void>(resolve => extension.server.listen(0, '127.0.0.1', resolve))
  let server: TestServer | undefined
  try {
    server = await startServer({
      plugins: [namespaces, webhooks, networking, customResources, aggregation],
      options: { proxyClientCertFile: cert, proxyClientKeyFile: key },
      tls: true,
    })
    const { client } = server
    const definitions = definitionsOf(client)
    const name = `fruits.${fruitGroup}`
    await definitions.create(definitionFor(fruitGroup, 'fruits', 'Fruit'))
    await definitions.waitFor(name, isEstablished, patience)
    await client
      .resource<ApiObject>({ group: fruitGroup, version: 'v1', resource: 'fruits' })
      .in('default')
      .create({ metadata: { name: 'pear' } })
    extension.baskets.set('default', ['apple'])
    await serveByExtension(client, extension.port, Buffer.from(authority.caPem).toString('base64'))
    await definitions.delete(name)
    await definitions.waitForDeletion(name, patience)
    assert.equal(extension.baskets.get('default'), ['apple'])
    assert.equal(
      extension.seen.filter(({ method }) => method === 'DELETE'),
      [],
    )
    await definitions.create(definitionFor(fruitGroup, 'fruits', 'Fruit', 'v2'))
    await definitions.waitFor(name, isRefused, patience)
    await definitions.delete(name)
    await definitions.waitForDeletion(name, patience)
    assert.equal(
      extension.seen.filter(({ method }) => method === 'DELETE'),
      [],
    )
  } finally {
    await server?.stop()
    extension.server.closeAllConnections()
    extension.server.close()
  }
})

async function serveByExtension(client: Client, port: number, caBundle: string): Promise<void> {
  await client
    .resource<ApiObject>({ group: '', version: 'v1', resource: 'namespaces' })
    .create({ metadata: { name: 'farm' } })
  await client
    .resource<ApiObject>({ group: '', version: 'v1', resource: 'services' })
    .in('farm')
    .create({ metadata: { name: 'fruit' }, spec: { type: 'ExternalName', externalName: '127.0.0.1' } })
  const services = client.resource<ApiObject>({
    group: 'apiregistration.orch.io',
    version: 'v1',
    resource: 'apiservices',
  })
  const spec = { group: fruitGroup, version: 'v1', groupPriorityMinimum: 1500, versionPriority: 10, caBundle }
  const name = `v1.${fruitGroup}`
  await eventually('the APIService of the definition', async () => (await services.find(name)) !== undefined)
  const { metadata } = await services.get(name)
  await services.update({
    metadata: { name, resourceVersion: metadata.resourceVersion },
    spec: { ...spec, service: { namespace: 'farm', name: 'fruit', port } },
  } as unknown as ApiObject)
  await services.waitFor(name, object => condition(object, 'Available')?.status === 'True', patience)
  await eventually('the extension to answer', async () => {
    const { kind } = await client.request<{ kind: string }>({
      method: 'GET',
      path: `/apis/${fruitGroup}/v1/namespaces/default/fruits`,
      headers: {},
    })
    return kind === 'FruitList'
  })
}

names.run()
