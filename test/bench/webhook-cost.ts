import { parseArgs } from 'node:util'
import { testAuthority } from 'orch/sdk/testing'
import { flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { ScriptedWebhook } from '../webhooks/scripted-webhook.js'
import { collectionPath, operations } from './config-map-load.js'
import { ConnectionPool } from './connection-pool.js'
import { type Cost, compare, costLines, type Variant } from './paired.js'
import { median, monotonicMs } from './process-figures.js'

/**
 * `node dist/test/bench/webhook-cost.js [--rounds 10]`
 *
 * Creates in a namespace with one mutating and one validating webhook, which cannot be faster than a create followed by one
 * round trip to each webhook, done here manually. All alternate. Round trips alone are shown, too, but not compared: in a
 * tight loop both ends stay awake, and a trip takes a third of what it takes after anything else. Then: how long other
 * requests take while a webhook hangs.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } })
const least = 0.7
const patch = Buffer.from('[{"op":"add","path":"/metadata/annotations","value":{"seen":"yes"}}]').toString('base64')

const authority = await testAuthority()
const webhook = await ScriptedWebhook.start(await authority.server('127.0.0.1'))
const flags = (await flagsOf('base')).filter(flag => !flag.startsWith('--enable-admission-plugins'))
const server = await startOrch({ flags })
const pool = new ConnectionPool({ url: server.url, token: 'admintoken', pids: [server.pid] })
const direct = new ConnectionPool({ url: webhook.url, token: '', pids: [] })

async function makeNamespace(name: string): Promise<void> {
  await pool.post('/api/v1/namespaces', JSON.stringify({ metadata: { name, labels: { bench: name } } }))
}
async function configure(kind: 'Mutating' | 'Validating', namespace: string, path: string): Promise<void> {
  const hook = {
    name: `${kind.toLowerCase()}.${namespace}.acme.test`,
    clientConfig: { url: webhook.url + path, caBundle: Buffer.from(authority.caPem).toString('base64') },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    namespaceSelector: { matchLabels: { bench: namespace } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 30,
  }
  const resource = `${kind.toLowerCase()}webhookconfigurations`
  const body = JSON.stringify({ metadata: { name: `${namespace}-${kind.toLowerCase()}` }, webhooks: [hook] })
  await pool.post(`/apis/admissionregistration.k8s.io/v1/${resource}`, body)
}
const create = async (namespace: string, n: number) => {
  const [, , body = ''] = operations.create({ namespace, size: 1000, first: 0, objects: 0, salt: 0 }, n)
  await pool.post(collectionPath(namespace), body)
}

/** A review as a webhook received it. */
async function recordedReview(): Promise<string> {
  await create('watched', 1e9)
  return JSON.stringify((await webhook.takeCalls('/mutate'))[0]?.review)
}

/** Latency of requests without a webhook, while others wait for one that hangs. */
async function besideHanging(): Promise<void> {
  await makeNamespace('stuck')
  await configure('Validating', 'stuck', '/hang')
  await webhook.behave('/hang', { is: 'hang' })
  const latency = async (first: number) => {
    const latencies: number[] = []
    for (let i = 0; i < 300; i++) {
      const startedAt = monotonicMs()
      await create('plain', first + i)
      latencies.push(monotonicMs() - startedAt)
    }
    return median(latencies)
  }
  const before = await latency(2e9)
  const stuck = Array.from({ length: 50 }, (_, i) => create('stuck', i).catch(() => {}))
  const during = await latency(3e9)
  process.stdout.write(`beside 50 that wait for a webhook   ${before.toFixed(3)} ms → ${during.toFixed(3)} ms\n`)
  await webhook.stop()
  await Promise.all(stuck)
}

try {
  await makeNamespace('plain')
  await makeNamespace('watched')
  await webhook.behave('/mutate', { is: 'answer', response: { allowed: true, patchType: 'JSONPatch', patch } })
  await webhook.behave('/validate', { is: 'answer', response: { allowed: true } })
  await configure('Mutating', 'watched', '/mutate')
  await configure('Validating', 'watched', '/validate')
  const review = await recordedReview()
  const trips = async () => {
    await direct.post('/mutate', review)
    await direct.post('/validate', review)
  }
  const variants: Variant[] = [
    { name: 'create', pids: [server.pid], run: n => create('plain', n) },
    { name: 'one round trip to each webhook', pids: [process.pid], run: trips },
    {
      name: 'create, then the round trips',
      pids: [server.pid, process.pid],
      async run(n) {
        await create('plain', 4e9 + n)
        await trips()
      },
    },
    { name: 'create with both webhooks', pids: [server.pid], run: n => create('watched', n) },
  ]
  const costs = await compare(variants, Number(values.rounds))
  process.stdout.write(costLines(costs))
  const [, , byHand, both] = costs as [Cost, Cost, Cost, Cost]
  const ratio = byHand.latencyMs / both.latencyMs
  process.stdout.write(`throughput: ${ratio.toFixed(2)} of a create and the round trips; target: ${least}\n`)
  await besideHanging()
} finally {
  pool.close()
  direct.close()
  await webhook.stop()
  await server.stop()
}
