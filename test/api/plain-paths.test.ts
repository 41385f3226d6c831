import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Paths outside the resource API. */

const folder = temporaryFolder()
let server: RunningServer

const plain = suite('paths outside the resource API')
plain.before(async () => {
  writeFileSync(join(folder.path, 'tokens.csv'), 'root,root,1,"system:masters"\n')
  const issuer = ['--service-account-issuer', 'https://issuer.example.com']
  const tokens = ['--token-auth-file', join(folder.path, 'tokens.csv')]
  server = await startOrch({ flags: ['--vendor', 'kubernetes', '--tls=false', ...tokens, ...issuer] })
})
plain.after(async () => {
  await server.stop()
  folder.remove()
})

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(server.url + path, { headers: { authorization: 'Bearer root', ...headers } })
  const text = await response.text()
  return { status: response.status, type: response.headers.get('content-type') ?? '', text }
}

const documents: Record<string, string> = {
  '/': 'application/json',
  '/version': 'application/json',
  '/version/': 'application/json',
  '/openid/v1/jwks': 'application/jwk-set+json',
  '/.well-known/openid-configuration': 'application/json',
  '/healthz': 'text/plain',
  '/livez/ping': 'text/plain',
  '/readyz?verbose': 'text/plain',
  '/metrics': 'text/plain',
  '/openapi/v3': 'text/plain',
}
const accepted = [
  'application/vnd.kubernetes.protobuf, */*',
  'application/vnd.kubernetes.protobuf',
  'application/yaml',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'image/png',
  ';;,',
]
for (const [path, type] of Object.entries(documents))
  plain(`${path} has a fixed media type, whatever the client accepts`, async () => {
    for (const accept of accepted) {
      const answer = await get(path, { accept })
      assert.equal([answer.status, answer.type.split(';')[0]], [200, type], accept)
    }
  })
const checks = [
  'ping',
  'log',
  'etcd',
  'autoregister-completion',
  ...[
    'rbac/bootstrap-roles',
    'scheduling/bootstrap-system-priority-classes',
    'priority-and-fairness-config-producer',
    'priority-and-fairness-config-consumer',
    'start-apiextensions-informers',
    'start-apiextensions-controllers',
    'crd-informer-synced',
    'start-kube-aggregator-informers',
    'apiservice-registration-controller',
    'apiservice-status-local-available-controller',
    'apiservice-openapi-controller',
    'kube-apiserver-autoregistration',
  ].map(hook => `poststarthook/${hook}`),
]
plain('a probe can request each check by the name that it has in the reference', async () => {
  for (const check of checks)
    for (const endpoint of ['healthz', 'livez', 'readyz'])
      assert.equal(await get(`/${endpoint}/${check}`).then(({ status, text }) => [status, text]), [200, 'ok'], check)
  const { text } = await get('/readyz?verbose')
  for (const check of checks) assert.ok(text.includes(`[+]${check} ok\n`), `${check} is missing in ${text}`)
})
plain('/api, /apis and /openapi/v2, which have forms, come in the one that the client wants most', async () => {
  for (const path of ['/api', '/apis', '/api/v1', '/apis/storage.k8s.io/v1', '/openapi/v2'])
    assert.is((await get(path, { accept: 'application/vnd.kubernetes.protobuf, */*' })).status, 200, path)
  assert.is((await get('/apis', { accept: 'image/png' })).status, 406)
})

plain('paths below a document are a 404 Status', async () => {
  for (const path of ['/version/x', '/version/x/y', '/openid/v1/jwks/x', '/.well-known/openid-configuration/x']) {
    const { status, type, text } = await get(path)
    assert.equal([status, type], [404, 'application/json'], path)
    assert.equal(JSON.parse(text).kind, 'Status', path)
  }
})
plain('other paths are a plain 404', async () => {
  for (const path of ['/versions', '/nothing', '/metrics/x', '/healthz/nothing', '/openid']) {
    const { status, text } = await get(path)
    assert.equal([status, text], [404, '404 page not found\n'], path)
  }
})
plain('an encoded slash in a segment is a 404', async () => {
  for (const path of [
    '/api/v1/%2f',
    '/api/v1%2f',
    '/api%2fv1',
    '/apis/storage.k8s.io/v1/%2F',
    '/healthz/%2f',
    '/%2f',
    '/version%2F',
  ])
    assert.is((await get(path)).status, 404, path)
})
plain('the list of paths has /apis with and without a trailing slash', async () => {
  const { paths } = JSON.parse((await get('/')).text)
  assert.ok(paths.includes('/apis') && paths.includes('/apis/'))
  assert.equal(paths, [...paths].sort())
})

plain('a path of many slashes is answered quickly', async () => {
  const slashes = '/'.repeat(31_000)
  for (const path of [
    `/api/v1${slashes}`,
    `/api/v1${slashes}x`,
    `/apis${slashes}x`,
    `${slashes}`,
    `/healthz${slashes}x`,
  ]) {
    // The fastest of several attempts, because the machine may be busy.
    let tookMs = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 5; attempt++) {
      const startedAt = performance.now()
      const { status } = await get(path)
      tookMs = Math.min(tookMs, performance.now() - startedAt)
      assert.ok(status === 200 || status === 404, `${status}`)
    }
    assert.ok(tookMs < 250, `${path.slice(0, 9)}… took ${tookMs} ms`)
  }
})

plain.run()
