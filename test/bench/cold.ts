import { parseArgs } from 'node:util'
import { testAuthority } from 'orch/sdk/testing'
import { writePrograms } from '../envtest/programs.js'
import { inSuite } from '../envtest/suite.js'
import { flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { operations, type RequestParts } from './config-map-load.js'
import { Connection, type Target } from './connection.js'
import { median, threadsCpuMs } from './process-figures.js'

/**
 * `npm run bench:cold -- [--starts 5] [--requests 100] [--only bundle,envtest]`
 *
 * The cost of the first requests of a server: the server of a test suite is always cold. Each round starts a new server, and one
 * client sends it the first creates, gets, lists and patches sequentially. Every figure is the median of all starts.
 */
const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    requests: { type: 'string', default: '100' },
    only: { type: 'string', default: 'bundle,envtest' },
  },
})
const requests = Number(values.requests)
const shape = { namespace: 'default', size: 1000, first: 0, objects: requests, salt: 0 }
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'colds.bench.test' },
  spec: {
    group: 'bench.test',
    scope: 'Namespaced',
    names: { plural: 'colds', kind: 'Cold' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
      },
    ],
  },
}
const custom = '/apis/bench.test/v1/namespaces/default/colds'

/** The latency of a request, and the CPU time of the server. */
interface Cost {
  readonly ms: number
  readonly cpuMs: number
}
type Figures = Map<string, Cost>

async function measureRequests(target: Target, pid: number): Promise<Figures> {
  const connection = await Connection.open(target)
  const figures: Figures = new Map()
  const send = async ([method, path, body, type]: RequestParts): Promise<number> => {
    const extras = { ...(body === undefined ? {} : { body }), ...(type === undefined ? {} : { type }) }
    return (await connection.request(method, path, extras)).status
  }
  const insist = async (parts: RequestParts) => {
    const status = await send(parts)
    if (status >= 300) throw new Error(`${parts[0]} ${parts[1]}: ${status}`)
  }
  const timed = async (what: string, count: number, work: () => Promise<void>) => {
    const [from, cpuFrom] = [performance.now(), threadsCpuMs(pid)]
    await work()
    figures.set(what, { ms: (performance.now() - from) / count, cpuMs: (threadsCpuMs(pid) - cpuFrom) / count })
  }
  const series = async (what: string, parts: (n: number) => RequestParts) => {
    await timed(`first ${what}`, 1, () => insist(parts(0)))
    await timed(`${what}, the next ${requests - 1}`, requests - 1, async () => {
      for (let n = 1; n < requests; n += 1) await insist(parts(n))
    })
  }
  await series('create', n => operations.create(shape, n))
  await series('get', n => operations.get(shape, n))
  await series('update', n => operations.put(shape, n, []))
  await series('merge patch', n => operations.patch(shape, n))
  await series('apply', n => operations.apply(shape, n))
  await series('list', () => ['GET', '/api/v1/namespaces/default/configmaps'])
  await series('list by label', () => ['GET', '/api/v1/namespaces/default/configmaps?labelSelector=pick%3Dyes'])
  await timed('first object of a definition', 1, async () => {
    await insist(['POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(definition)])
    const body = JSON.stringify({ apiVersion: 'bench.test/v1', kind: 'Cold', metadata: { name: 'one' }, spec: {} })
    while ((await send(['POST', custom, body])) === 404);
  })
  connection.close()
  return figures
}

async function ofBundle(): Promise<Figures> {
  const from = performance.now()
  const server = await startOrch({ flags: await flagsOf('base'), isBundled: true })
  try {
    const start = { ms: performance.now() - from, cpuMs: threadsCpuMs(server.pid) }
    const target = { url: server.url, token: 'admintoken', pids: [server.pid] }
    return new Map([['start to ready', start], ...(await measureRequests(target, server.pid))])
  } finally {
    await server.stop()
  }
}

/** As the suites of controllers start it: no loops, the store in memory, a token file. */
async function ofEnvtest(programs: string): Promise<Figures> {
  const servers = await testAuthority()
  const serving = await servers.server()
  let figures: Figures = new Map()
  let from = 0
  await inSuite(
    programs,
    async ({ etcd, port, folder }) => {
      folder.write('apiserver.crt', serving.certificatePem)
      folder.write('apiserver.key', serving.keyPem)
      from = performance.now()
      const argv = [
        `--etcd-servers=${etcd}`,
        `--cert-dir=${folder.path}`,
        `--secure-port=${port}`,
        '--authorization-mode=RBAC',
        '--disable-admission-plugins=ServiceAccount',
        `--token-auth-file=${folder.write('tokens.csv', 'admintoken,admin,admin,"system:masters"\n')}`,
      ]
      return { argv, caPem: servers.caPem }
    },
    async ({ url, server: { pid } }) => {
      const start = { ms: performance.now() - from, cpuMs: threadsCpuMs(pid) }
      figures = new Map([
        ['start to ready', start],
        ...(await measureRequests({ url, token: 'admintoken', pids: [pid] }, pid)),
      ])
    },
  )
  return figures
}

function report(form: string, rounds: readonly Figures[]): void {
  const cell = (costs: readonly number[]) =>
    `${median(costs).toFixed(2)} (${Math.min(...costs).toFixed(2)} to ${Math.max(...costs).toFixed(2)})`.padStart(28)
  process.stdout.write(`${form.padEnd(34)}${'ms'.padStart(28)}${'ms of CPU'.padStart(28)}\n`)
  for (const what of rounds[0]?.keys() ?? []) {
    const costs = rounds.map(round => round.get(what) ?? { ms: Number.NaN, cpuMs: Number.NaN })
    const times = cell(costs.map(({ ms }) => ms))
    process.stdout.write(`  ${what.padEnd(32)}${times}${cell(costs.map(({ cpuMs }) => cpuMs))}\n`)
  }
}

const home = temporaryFolder()
try {
  const programs = await writePrograms(home.path)
  const forms: Record<string, () => Promise<Figures>> = { bundle: ofBundle, envtest: () => ofEnvtest(programs) }
  const chosen = values.only.split(',')
  const rounds = new Map(chosen.map(form => [form, [] as Figures[]]))
  // Alternating, so that a busy moment slows both forms.
  for (let start = 0; start < Number(values.starts); start += 1)
    for (const form of chosen) rounds.get(form)?.push((await forms[form]?.()) ?? new Map())
  for (const [form, figures] of rounds) report(form, figures)
} finally {
  home.remove()
}
