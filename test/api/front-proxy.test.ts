import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { aggregation } from 'orch/plugins/aggregation'
import { authentication } from 'orch/plugins/authentication'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { networking } from 'orch/plugins/networking'
import { webhooks } from 'orch/plugins/webhooks'
import { type ApiObject, kubernetesProfile } from 'orch/sdk'
import { startServer, type TestServer, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ensurePki } from '../../kernel/pki/ensure-pki.js'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const plugins = [namespaces, configuration, authentication, networking, webhooks, aggregation]
const group = 'fruit.example.com'
type ConfigMap = ApiObject & { data?: Record<string, string> }

/** Reads the published authentication settings, as every extension server does. */
async function settingsOf({ client }: TestServer): Promise<Record<string, string>> {
  const configMaps = client.resource<ConfigMap>({ group: '', version: 'v1', resource: 'configmaps' }).in('kube-system')
  return (await configMaps.get('extension-apiserver-authentication')).data ?? {}
}

interface Seen {
  readonly user: string
  readonly name: string
  readonly serial: string
}
/** An extension server that requires a client certificate from these CAs. */
async function startExtension(
  keys: { certificatePem: string; keyPem: string },
  clientCa: string,
  seen: Seen[],
): Promise<Server> {
  const options = { cert: keys.certificatePem, key: keys.keyPem, ca: clientCa, requestCert: true }
  const server = createServer({ ...options, rejectUnauthorized: true }, (request, response) => {
    const { subject, serialNumber } = (request.socket as TLSSocket).getPeerCertificate()
    const user = String(request.headers['x-remote-user'])
    seen.push({ user, name: String(subject.CN), serial: serialNumber })
    const answer = { kind: 'APIResourceList', groupVersion: `${group}/v1`, resources: [] }
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function register({ client }: TestServer, port: number, caPem: string): Promise<void> {
  const services = client.resource<ApiObject>({ group: '', version: 'v1', resource: 'services' }).in('default')
  const spec = { type: 'ExternalName', externalName: '127.0.0.1' }
  await services.create({ metadata: { name: 'fruit' }, spec } as ApiObject)
  const apiServices = client.resource<ApiObject & { status?: { conditions?: { status: string }[] } }>({
    group: 'apiregistration.k8s.io',
    version: 'v1',
    resource: 'apiservices',
  })
  const name = `v1.${group}`
  const service = { namespace: 'default', name: 'fruit', port }
  const caBundle = Buffer.from(caPem).toString('base64')
  const priorities = { groupPriorityMinimum: 100, versionPriority: 100 }
  await apiServices.create({
    metadata: { name },
    spec: { group, version: 'v1', service, caBundle, ...priorities },
  } as ApiObject)
  await apiServices.waitFor(name, ({ status }) => status?.conditions?.[0]?.status === 'True', { timeoutMs: 60_000 })
}

const proxy = suite('the certificate of the front proxy')

proxy('is issued by a separate CA, published, sent to extension servers, and reloaded when renewed', async () => {
  const authority = await testAuthority()
  const server = await startServer({ plugins, vendor: 'kubernetes', tls: true })
  const seen: Seen[] = []
  let extension: Server | undefined
  try {
    const settings = await settingsOf(server)
    assert.is(settings['requestheader-allowed-names'], '["front-proxy-client"]')
    assert.is(settings['requestheader-username-headers'], '["X-Remote-User"]')
    assert.is(settings['requestheader-group-headers'], '["X-Remote-Group"]')
    assert.is(settings['requestheader-extra-headers-prefix'], '["X-Remote-Extra-"]')
    const file = (name: string) => join(server.dataDir, 'pki', name)
    const ca = settings['requestheader-client-ca-file'] ?? ''
    assert.is(ca, readFileSync(file('front-proxy-ca.crt'), 'utf8'))
    const admin = new X509Certificate(readFileSync(file('admin.crt')))
    assert.is(admin.verify(new X509Certificate(ca).publicKey), false, 'no client is mistaken for the server')
    assert.is(statSync(file('front-proxy-client.key')).mode & 0o777, 0o600)

    extension = await startExtension(await authority.server('fruit.default.svc'), ca, seen)
    await register(server, (extension.address() as AddressInfo).port, authority.caPem)
    const ask = () => server.client.request({ method: 'GET', path: `/apis/${group}/v1/fruits`, headers: {} })
    const lastFor = async () => {
      await ask()
      return seen.filter(({ user }) => user === 'admin' || !user.startsWith('system:')).at(-1)
    }
    const first = await lastFor()
    assert.is(first?.name, 'front-proxy-client')
    for (const name of ['front-proxy-client.crt', 'front-proxy-client.key']) rmSync(file(name))
    await ensurePki({ dataDir: server.dataDir, vendor: kubernetesProfile, bindAddress: '127.0.0.1', now: Date.now() })
    await eventually('the new certificate', async () => (await lastFor())?.serial !== first?.serial, 60_000)
    assert.is((await settingsOf(server))['requestheader-client-ca-file'], ca)
  } finally {
    extension?.close()
    await server.stop()
  }
})

proxy(
  'is published with that of the proxy of an operator, and absent if the operator configures the certificate',
  async () => {
    const folder = temporaryFolder()
    const own = await testAuthority('own')
    const client = await own.client('own-proxy')
    const given = {
      requestheaderClientCaFile: folder.write('ca.pem', own.caPem),
      requestheaderAllowedNames: ['own-proxy'],
      requestheaderUsernameHeaders: ['X-User'],
    }
    const certificate = {
      proxyClientCertFile: folder.write('proxy.crt', client.certificatePem),
      proxyClientKeyFile: folder.write('proxy.key', client.keyPem),
    }
    const published = async (options: Record<string, unknown>) => {
      const server = await startServer({ plugins, vendor: 'kubernetes', tls: true, options })
      const settings = await settingsOf(server).finally(() => server.stop())
      const authorities = settings['requestheader-client-ca-file']?.match(/BEGIN CERTIFICATE/g)?.length
      return [authorities, settings['requestheader-allowed-names'], settings['requestheader-username-headers']]
    }
    try {
      assert.equal(await published(given), [2, '["own-proxy","front-proxy-client"]', '["X-User","X-Remote-User"]'])
      assert.equal(await published({ ...given, requestheaderAllowedNames: [] }), [
        2,
        '[]',
        '["X-User","X-Remote-User"]',
      ])
      assert.equal(await published({ ...given, ...certificate }), [1, '["own-proxy"]', '["X-User"]'])
      assert.equal(await published(certificate), [undefined, undefined, undefined])
      const other = folder.write('other.key', (await own.client('other')).keyPem)
      const wrong = await published({ ...certificate, proxyClientKeyFile: other }).catch(error => String(error.message))
      assert.match(String(wrong), /the private key does not match the certificate/)
    } finally {
      folder.remove()
    }
  },
)

proxy.run()
