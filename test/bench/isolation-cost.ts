import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { collectionPath, operations } from './config-map-load.js'
import { ConnectionPool } from './connection-pool.js'
import { compare, costLines, type Variant } from './paired.js'

/**
 * `node dist/test/bench/isolation-cost.js [--rounds 20]`
 *
 * The cost of an admission control in a separate process: servers without it, with it in the same process, and with it in
 * another one alternate in creating ConfigMaps. The CPU of that process is included.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const mostMs = 0.06
const clients = 64
const namespace = 'bench'
const shape = { namespace, size: 1000, first: 0, objects: 0, salt: 0 }
const folder = temporaryFolder()
const source = `import { definePlugin, reject } from 'orch/sdk'
export default definePlugin({
  name: 'guard',
  register(to) {
    to.admission({
      name: 'Guard',
      phase: 'validate',
      sideEffects: 'none',
      matches: { group: '', resources: ['configmaps'], operations: ['create'] },
      review: ({ object }) => (object.data?.forbidden === undefined ? undefined : reject('forbidden')),
    })
  },
})
`
const packages = join(folder.path, 'plugins')
mkdirSync(packages)
writeFileSync(join(packages, 'guard.ts'), source)

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap(thread =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

const servers: RunningServer[] = []
async function variantOf(name: string, isolation?: string): Promise<Variant & { pool: ConnectionPool }> {
  const server = await startOrch({ flags: [...(await flagsOf('base')), '--plugin-folder', packages], isBundled: true })
  servers.push(server)
  const pool = new ConnectionPool({ url: server.url, token: 'admintoken', pids: [server.pid] })
  await pool.post('/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }))
  if (isolation !== undefined) {
    const spec = { package: 'guard.ts', isolation }
    await pool.post('/apis/plugins.k8s.io/v1alpha1/plugins', JSON.stringify({ metadata: { name: 'guard' }, spec }))
    const refused = JSON.stringify({ metadata: { name: 'refused' }, data: { forbidden: '' } })
    let status = 0
    while (status !== 403)
      status = (await pool.request('POST', `${collectionPath(namespace)}?dryRun=All`, { body: refused })).status
  }
  return {
    name,
    pids: [server.pid, ...childrenOf(server.pid)],
    pool,
    async run(n) {
      const [, , body = ''] = operations.create(shape, n)
      await pool.post(collectionPath(namespace), body)
    },
  }
}

try {
  const variants = [
    await variantOf('without it'),
    await variantOf('in process', 'in-process'),
    await variantOf('in a separate process', 'worker'),
  ]
  const costs = await compare(variants, Number(values.rounds), clients)
  process.stdout.write(costLines(costs))
  const [, inProcess, isolated] = costs.map(({ cpuMs }) => cpuMs)
  process.stdout.write(
    `a review in a separate process: ${(((isolated ?? 0) - (inProcess ?? 0)) * 1000).toFixed(0)} µs of CPU more; goal ${mostMs * 1000} µs\n`,
  )
  for (const { pool } of variants) pool.close()
} finally {
  await Promise.all(servers.map(server => server.stop()))
  folder.remove()
}
