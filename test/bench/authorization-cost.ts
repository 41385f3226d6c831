import { parseArgs } from 'node:util'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { BenchServer, kibPayload } from './bench-server.js'
import { LoadClient } from './load-client.js'
import { bindingCount, createManyBindings, groupsOf, roleCount } from './many-bindings.js'
import { median } from './process-figures.js'

/**
 * `node dist/test/bench/authorization-cost.js [--rounds 7] [--gets 30000] [--creates 6000]`
 *
 * The cost of authorization and bearer tokens. Two servers have the same 1,000 roles and 10,000 bindings, one allows
 * everything, the other uses RBAC; both get the same requests in turn, and the CPU time of the server per request is
 * compared, which is more reliable than a rate on a shared machine. The same for a token of a service account,
 * whose signature is verified periodically, and a static token, which has none.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    gets: { type: 'string', default: '30000' },
    creates: { type: 'string', default: '6000' },
  },
})
const rounds = Number(values.rounds)
const counts = { get: Number(values.gets), create: Number(values.creates) }
const clients = 16
const objects = 1024
const user = 'worker'
/** RBAC must reach this share of the rate without it. */
const wantedShare = 0.9

const folder = temporaryFolder()
const tokens = folder.write(
  'tokens.csv',
  `admintoken,admin,1,"system:masters"\nworkertoken,${user},2,"${groupsOf(user).join()}"\n`,
)
const loadClient = new LoadClient()

interface Contender {
  readonly name: string
  readonly running: RunningServer
  readonly token: string
}

const targetOf = ({ running, token }: Contender) => ({ url: running.url, token, pids: [running.pid] })
const benchOf = (contender: Contender) => new BenchServer(targetOf(contender), loadClient)

async function startFilled(mode: string): Promise<Contender> {
  const flags = [
    '--vendor=kubernetes',
    `--token-auth-file=${tokens}`,
    `--authorization-mode=${mode}`,
    '--controllers=namespace,serviceaccount',
  ]
  const running = await startOrch({ flags })
  await createManyBindings({ url: running.url, token: 'admintoken', pids: [] }, user)
  return { name: mode, running, token: 'workertoken' }
}

/** CPU of the server for one request, in microseconds. */
async function costOf(contender: Contender, operation: keyof typeof counts, round: number): Promise<number> {
  const bench = benchOf(contender)
  const isCreate = operation === 'create'
  const namespace = isCreate
    ? await bench.namespace(`${operation}-${contender.token.length}-${round}`)
    : await bench.namespace('get')
  const shape = { namespace, size: kibPayload, first: 0, objects, salt: 0 }
  const target = targetOf(contender)
  const { serverCpuMs, latencies } = await loadClient.do('load', {
    ...shape,
    target,
    operation,
    clients,
    count: counts[operation],
  })
  if (isCreate) await bench.empty(namespace)
  return (serverCpuMs * 1e3) / latencies.length
}

/** Measures both in turn, so that noise affects both. The first round only warms up. */
async function compare(one: Contender, other: Contender, operation: keyof typeof counts): Promise<number> {
  const costs: [number, number][] = []
  for (let round = 0; round <= rounds; round++) {
    const pair: [number, number] = [await costOf(one, operation, round), await costOf(other, operation, round)]
    if (round > 0) costs.push(pair)
  }
  const [first, second] = [0, 1].map(side => median(costs.map(pair => pair[side as 0 | 1]))) as [number, number]
  const share = median(costs.map(([before, after]) => before / after))
  const micros = (cost: number) => `${cost.toFixed(0)} µs`
  console.log(`${operation}: ${one.name} ${micros(first)}, ${other.name} ${micros(second)}, share ${share.toFixed(3)}`)
  return share
}

/** A token of a service account with the same permissions. */
async function accountToken({ running }: Contender): Promise<string> {
  const admin = { url: running.url, token: 'admintoken', pids: [] }
  const call = async (path: string, body: object) => {
    const { status, json } = await loadClient.do('call', { target: admin, method: 'POST', path, body })
    if (status !== 201) throw new Error(`POST ${path}: ${status}`)
    return json
  }
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await call(accounts, { metadata: { name: user } })
  await call('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: `${user}-account` },
    roleRef: { kind: 'ClusterRole', name: user },
    subjects: [{ kind: 'ServiceAccount', name: user, namespace: 'default' }],
  })
  return (await call(`${accounts}/${user}/token`, { spec: {} })).status.token
}

console.log(`${roleCount} roles, ${bindingCount} bindings; ${rounds} rounds, ${clients} clients`)
const open = await startFilled('AlwaysAllow')
const guarded = await startFilled('RBAC')
try {
  for (const contender of [open, guarded]) await benchOf(contender).fill('get', objects)
  const shares = [await compare(open, guarded, 'get'), await compare(open, guarded, 'create')]
  // For information: the longer token is hashed and its account looked up, but the signature is verified only every 10 s.
  const signed = { ...guarded, name: 'account token', token: await accountToken(guarded) }
  await compare({ ...guarded, name: 'file token' }, signed, 'get')
  process.exitCode = shares.every(share => share >= wantedShare) ? 0 : 1
} finally {
  loadClient.close()
  await Promise.all([open, guarded].map(({ running }) => running.stop()))
  folder.remove()
}
