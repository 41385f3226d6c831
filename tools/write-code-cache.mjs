// Runs a server briefly and writes the compiled code of everything that ran: see tools/bundled/load-cached.cjs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import loadCached from '../dist/bundled/load-cached.cjs'

const { runCommandLine } = loadCached.load('program.cjs')
const folder = mkdtempSync(join(tmpdir(), 'orch-code-cache-'))
const pki = name => readFileSync(join(folder, 'data/pki', name))

const maps = '/api/v1/namespaces/default/configmaps'
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const merge = 'application/merge-patch+json'
const labels = { app: 'one' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'one', image: 'one' }] } }
const named = (name, rest) => ({ metadata: { name, labels }, ...rest })

/** What most clients request first. */
const requests = [
  { path: '/readyz' },
  { path: '/api' },
  { path: '/apis' },
  { path: '/api/v1' },
  { path: '/apis/apps/v1' },
  { path: maps, method: 'POST', body: named('one', { data: { a: 'b' } }) },
  { path: maps },
  { path: `${maps}?labelSelector=app%3Done&limit=1` },
  { path: `${maps}?watch=true&timeoutSeconds=1&resourceVersion=0` },
  { path: `${maps}/one` },
  { path: `${maps}/one`, method: 'PUT', body: named('one', { data: { a: 'c' } }) },
  { path: `${maps}/one`, method: 'PATCH', type: merge, body: { data: { a: 'd' } } },
  { path: `${maps}/one`, method: 'PATCH', type: 'application/strategic-merge-patch+json', body: { data: { a: 'e' } } },
  {
    path: `${maps}/two?fieldManager=one`,
    method: 'PATCH',
    type: 'application/apply-patch+yaml',
    body: { apiVersion: 'v1', kind: 'ConfigMap', ...named('two', { data: { a: 'b' } }) },
  },
  { path: `${maps}/one`, method: 'DELETE' },
  { path: `${maps}/one`, isMissing: true },
  { path: '/api/v1/namespaces', method: 'POST', body: named('one') },
  { path: '/api/v1/namespaces/default/secrets', method: 'POST', body: named('one', { stringData: { a: 'b' } }) },
  {
    path: '/api/v1/namespaces/default/services',
    method: 'POST',
    body: named('one', { spec: { ports: [{ port: 80 }], selector: labels } }),
  },
  { path: '/api/v1/namespaces/default/pods', method: 'POST', body: named('one', { spec: template.spec }) },
  { path: deployments, method: 'POST', body: named('one', { spec: { selector: { matchLabels: labels }, template } }) },
  { path: `${deployments}/one/status`, method: 'PATCH', type: merge, body: { status: { replicas: 1 } } },
  {
    path: definitions,
    method: 'POST',
    body: named('ones.example.test', {
      spec: {
        group: 'example.test',
        scope: 'Namespaced',
        names: { plural: 'ones', kind: 'One' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
          },
        ],
      },
    }),
  },
]
/** Uses the HTTP client of the server, so that its code is cached, too. */
function sender(address) {
  const { Pool } = loadCached.load('undici.cjs')
  const pool = new Pool(address, { connect: { ca: pki('ca.crt'), cert: pki('admin.crt'), key: pki('admin.key') } })
  return {
    async send({ path, method = 'GET', body, type = 'application/json' }) {
      const headers = { 'content-type': type }
      const answer = await pool.request({ path, method, headers, body: body && JSON.stringify(body) })
      await answer.body.text()
      return answer.statusCode
    },
    close: () => pool.close(),
  }
}

/** Sends the requests as soon as the server prints its address. */
async function warmUp(output) {
  for await (const _ of setInterval(20)) {
    const [address] = /https:\/\/127\.0\.0\.1:\d+/.exec(output.join('')) ?? []
    if (address === undefined) continue
    const client = sender(address)
    for (const each of requests) {
      const status = await client.send(each)
      if (status >= 300 && !each.isMissing) throw new Error(`${each.path} failed with ${status}`)
    }
    return client.close()
  }
}

/** Serves with this storage engine until `work` is done. */
async function serveWith(engine, work) {
  const output = []
  const print = text => void output.push(text)
  const world = {
    workingDir: folder,
    environment: {},
    isTerminal: false,
    out: print,
    err: print,
    onUnhandledRejection: () => {},
    untilStopped: () => work(output),
  }
  const data = `--data-dir=${join(folder, 'data')}`
  const words = ['serve', '--vendor=kubernetes', `--storage-engine=${engine}`, '--secure-port=0', data]
  const code = await runCommandLine(words, world)
  if (code !== 0) throw new Error(output.join(''))
}

try {
  await serveWith('lmdb', warmUp)
  await serveWith('memory', async output => {
    await warmUp(output)
    loadCached.writeCodeCache()
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
