import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSignedServer, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import type { ScriptedWebhook } from './scripted-webhook.js'
import { serviceName, startWorld, withWorld } from './start-world.js'
import type { WebhookWorld } from './webhook-world.js'

const connecting = suite('connections to webhooks')
let count = 0
const create = (world: WebhookWorld) => world.create('town', `c${++count}`)
const service = (changes: object = {}) => ({ namespace: 'hooks', name: 'reviewer', path: '/town/a', ...changes })

/** A Service `reviewer` whose endpoints are where the webhook listens. */
async function makeService(world: WebhookWorld, spec: object = {}): Promise<void> {
  await world.namespace('hooks')
  const ports = [
    { name: 'other', port: 80 },
    { name: 'review', port: 443 },
  ]
  await world.mustSend('POST', '/api/v1/namespaces/hooks/services', {
    metadata: { name: 'reviewer' },
    spec: { clusterIP: 'None', ports, ...spec },
  })
}
const makeEndpoints = (world: WebhookWorld, ip = '127.0.0.1') =>
  world.mustSend('POST', '/api/v1/namespaces/hooks/endpoints', {
    metadata: { name: 'reviewer' },
    subsets: [
      { addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'other', port: 80 }] },
      { notReadyAddresses: [{ ip: '192.0.2.2' }], ports: [{ name: 'review', port: 1 }] },
      { addresses: [{ ip }], ports: [{ name: 'review', port: world.webhook.port }] },
    ],
  })
const useService = (world: WebhookWorld, changes: object = {}) =>
  world.configure('Validating', 'a', [
    world.hook('town', 'a', {
      clientConfig: { service: service(changes), caBundle: world.caBundle },
      timeoutSeconds: 2,
    }),
  ])

const override =
  (...services: string[]) =>
  ({ port }: ScriptedWebhook) => ({
    webhookServiceOverride: Object.fromEntries(services.map(name => [name, `127.0.0.1:${port}`])),
  })

/** Endpoints may not be on the loopback; a machine may have nothing else. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap(addresses => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

if (ownAddress !== undefined)
  connecting('through a Service and its ready endpoints, under the name of the Service', () =>
    withWorld(async world => {
      await world.namespace('town')
      await makeService(world)
      await makeEndpoints(world, ownAddress)
      await useService(world)
      assert.is((await create(world)).status, 201)
      const [call] = await world.webhook.takeCalls('/town/a')
      assert.is(call?.headers['host'], 'reviewer.hooks.svc')
    }),
  )
connecting('through a Service of type ExternalName', () =>
  withWorld(async world => {
    await world.namespace('town')
    await makeService(world, { type: 'ExternalName', externalName: 'localhost', clusterIP: '' })
    await useService(world, { port: world.webhook.port })
    assert.is((await create(world)).status, 201)
    const [call] = await world.webhook.takeCalls('/town/a')
    assert.is(call?.headers['host'], `reviewer.hooks.svc:${world.webhook.port}`)
  }),
)
connecting('fail without the Service, its port, or a ready endpoint', () =>
  withWorld(async world => {
    await world.namespace('town')
    await useService(world)
    assert.match((await create(world)).body.message, /service "reviewer" not found/)
    await makeService(world)
    assert.match((await create(world)).body.message, /no endpoints available for service "reviewer"/)
    await useService(world, { port: 8443 })
    assert.match((await create(world)).body.message, /no service port 8443 found for service "reviewer"/)
    assert.is((await makeEndpoints(world, '192.0.2.3')).status, 201)
    await useService(world)
    assert.match((await create(world)).body.message, /no answer within 2 seconds/)
  }),
)
connecting('at another address that the operator configures, still with the name of the Service', () =>
  withWorld(
    async world => {
      await world.namespace('town')
      await useService(world)
      assert.is((await create(world)).status, 201)
      const calls = await world.webhook.takeCalls('/town/a')
      assert.is(calls[0]?.headers['host'], 'reviewer.hooks.svc')
      await useService(world, { name: 'impostor' })
      const { status, body } = await create(world)
      assert.is(status, 500)
      assert.match(body.message, /altnames/i)
    },
    { configFor: override('hooks/reviewer', 'hooks/impostor') },
  ),
)
connecting('over connections that are kept, and TLS sessions that are resumed', () =>
  withWorld(async world => {
    await world.namespace('town')
    await world.configure('Validating', 'a', [world.hook('town', 'a')])
    for (let i = 0; i < 5; i++) await create(world)
    const calls = await world.webhook.takeCalls('/town/a')
    assert.is(new Set(calls.map(({ connection }) => connection)).size, 1)
    await Promise.all(Array.from({ length: 8 }, () => create(world)))
    const parallel = await world.webhook.takeCalls('/town/a')
    assert.ok(parallel.some(({ isSessionReused }) => isSessionReused))
  }),
)
connecting('are retried if a kept connection was closed', () =>
  withWorld(async world => {
    await world.namespace('town')
    await world.configure('Validating', 'a', [world.hook('town', 'a', { timeoutSeconds: 2 })])
    await world.webhook.behave(
      '/town/a',
      { is: 'answer', response: { allowed: true } },
      { is: 'reset' },
      { is: 'answer', response: { allowed: true } },
    )
    assert.is((await create(world)).status, 201)
    assert.is((await create(world)).status, 201)
    assert.is((await world.webhook.takeCalls('/town/a')).length, 3)
  }),
)

connecting('with the credentials of the admission configuration', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-webhooks-'))
  const clients = await testAuthority('clients')
  const { certificatePem, keyPem } = await clients.client('the-api-server')
  const data = (text: string) => Buffer.from(text).toString('base64')
  const users = (entries: Record<string, object>) =>
    JSON.stringify({ users: Object.entries(entries).map(([name, user]) => ({ name, user })) })
  writeFileSync(join(folder, 'cert.pem'), certificatePem)
  writeFileSync(join(folder, 'key.pem'), keyPem)
  writeFileSync(
    join(folder, 'validating.yaml'),
    users({
      'reviewer.hooks.svc': { username: 'orch', password: 'secret' },
      '*.hooks.svc': { token: 'of-the-namespace' },
      '*.other.svc:8443': { token: 'of-the-port' },
      '*': { token: 'of-everyone-else' },
    }),
  )
  writeFileSync(
    join(folder, 'mutating.yaml'),
    users({ '*': { 'client-certificate': 'cert.pem', 'client-key-data': data(keyPem) } }),
  )
  const control = (name: string, version: string, kind: string, kubeConfigFile: string) => ({
    name,
    configuration: { apiVersion: `apiserver.config.orch.io/${version}`, kind, kubeConfigFile },
  })
  const configFile = join(folder, 'admission.yaml')
  writeFileSync(
    configFile,
    JSON.stringify({
      apiVersion: 'apiserver.config.orch.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: [
        control('ValidatingAdmissionWebhook', 'v1', 'WebhookAdmissionConfiguration', 'validating.yaml'),
        control('MutatingAdmissionWebhook', 'v1alpha1', 'WebhookAdmission', 'mutating.yaml'),
      ],
    }),
  )
  const world = await startWorld({
    asksForCertificate: true,
    configFor: webhook => ({
      admissionControlConfigFile: configFile,
      ...override('hooks/reviewer', 'hooks/other', 'other/any:8443', 'third/any')(webhook),
    }),
    serverNames: ['other.hooks.svc', 'any.other.svc', 'any.third.svc'],
  })
  try {
    await world.namespace('town')
    const sent = async (clientConfig: Record<string, unknown>) => {
      await world.configure('Validating', 'a', [
        world.hook('town', 'a', { clientConfig: { caBundle: world.caBundle, ...clientConfig } }),
      ])
      const { status, body } = await create(world)
      assert.is(status, 201, JSON.stringify(body))
      return (await world.webhook.takeCalls('/town/a'))[0]?.headers['authorization']
    }
    const viaService = (name: string, namespace: string, port = 443) =>
      sent({ service: { name, namespace, port, path: '/town/a' } })
    assert.is(await viaService('reviewer', 'hooks'), `Basic ${data('orch:secret')}`)
    assert.is(await viaService('other', 'hooks'), 'Bearer of-the-namespace')
    assert.is(await viaService('any', 'other', 8443), 'Bearer of-the-port')
    assert.is(await viaService('any', 'third'), 'Bearer of-everyone-else')
    assert.is(await sent({ url: `${world.webhook.url}/town/a` }), 'Bearer of-everyone-else')
    await world.removeConfiguration('Validating', 'a')
    await world.configure('Mutating', 'a', [world.hook('town', 'a')])
    await create(world)
    const [call] = await world.webhook.takeCalls('/town/a')
    assert.equal([call?.clientName, call?.headers['authorization']], ['the-api-server', undefined])
    // The file may change, and a broken one changes nothing.
    writeFileSync(join(folder, 'mutating.yaml'), 'users: none')
    writeFileSync(join(folder, 'mutating.yaml'), users({ '*': { token: 'later' } }))
    await eventually(
      'the new token',
      async () => {
        await create(world)
        return (await world.webhook.takeCalls('/town/a')).at(-1)?.headers['authorization'] === 'Bearer later'
      },
      60_000,
    )
  } finally {
    await world.stop()
    rmSync(folder, { recursive: true })
  }
})

for (const [title, keys] of Object.entries({
  'that an authority issued': undefined,
  'that is self-signed': selfSignedServer(serviceName),
}))
  connecting(`with a bundle that is the serving certificate itself, ${title}`, async () =>
    withWorld(
      async world => {
        await world.namespace('town')
        const clientConfig = { url: `${world.webhook.url}/town/a`, caBundle: world.ownCertificate }
        await world.configure('Validating', 'a', [world.hook('town', 'a', { clientConfig })])
        const { status, body } = await create(world)
        assert.is(status, 201, JSON.stringify(body))
        assert.is((await world.webhook.takeCalls('/town/a')).length, 1)
      },
      keys ? { keys: await keys } : {},
    ),
  )

connecting.run()
