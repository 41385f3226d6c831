import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { collectionPath, operations } from './config-map-load.js'
import { ConnectionPool } from './connection-pool.js'
import { compare, costLines, type Variant } from './paired.js'

/**
 * `node dist/test/bench/admission-cost.js [--rounds 20]`
 *
 * What the default admission chain adds to the creation of a ConfigMap: a server with it and one without it
 * alternate. A third one also has many namespaces, quotas and classes, which must make no difference.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const most = 1.15
const crowd = 500
const namespace = 'bench'
const shape = { namespace, size: 1000, first: 0, objects: 0, salt: 0 }

async function variantOf(name: string, server: RunningServer): Promise<Variant & { pool: ConnectionPool }> {
  const pool = new ConnectionPool({ url: server.url, token: 'admintoken', pids: [server.pid] })
  await pool.post('/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }))
  return {
    name,
    pids: [server.pid],
    pool,
    async run(n) {
      const [, , body = ''] = operations.create(shape, n)
      await pool.post(collectionPath(namespace), body)
    },
  }
}

/** Namespaces with a quota each, and classes. */
async function fill(pool: ConnectionPool): Promise<void> {
  const quota = { metadata: { name: 'q' }, spec: { hard: { pods: '10' } } }
  const storageClass = (name: string) => ({ metadata: { name }, provisioner: 'example.com/x' })
  for (let i = 0; i < crowd; i++) {
    await pool.post('/api/v1/namespaces', JSON.stringify({ metadata: { name: `crowd-${i}` } }))
    await pool.post(`/api/v1/namespaces/crowd-${i}/resourcequotas`, JSON.stringify(quota))
    await pool.post('/apis/storage.k8s.io/v1/storageclasses', JSON.stringify(storageClass(`crowd-${i}`)))
  }
}

const flags = (await flagsOf('base')).filter(flag => !flag.startsWith('--enable-admission-plugins'))
const servers: RunningServer[] = []
const start = async (...more: string[]) => {
  const server = await startOrch({ flags: [...flags, ...more] })
  servers.push(server)
  return server
}
try {
  const telling = await start('--v=4')
  const line = telling
    .output()
    .split('\n')
    .find(one => one.includes('"admission chain"'))
  const { mutating, validating } = JSON.parse(line ?? '{}') as Record<string, string[]>
  await telling.stop()
  const usual = await start()
  const all = [...new Set([...(mutating ?? []), ...(validating ?? [])])].join(',')
  const variants = await Promise.all([
    start(`--disable-admission-plugins=${all}`).then(server => variantOf('without admission', server)),
    variantOf('default chain', usual),
    start().then(server => variantOf(`default chain, ${crowd} of everything`, server)),
  ])
  await fill(variants[2].pool)
  const costs = await compare(variants, Number(values.rounds))
  process.stdout.write(costLines(costs))
  process.stdout.write(`target: latency × ${most}\n`)
  for (const { pool } of variants) pool.close()
} finally {
  await Promise.all(servers.map(server => server.stop()))
}
