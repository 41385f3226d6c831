import { parseArgs } from 'node:util'
import { allowRequest, startWebhookServer } from 'orch/sdk/client'
import { type KeyPair, selfSignedServer, testAuthority } from 'orch/sdk/testing'
import { writePrograms } from '../envtest/programs.js'
import { inSuite } from '../envtest/suite.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { cpuMs, median } from './process-figures.js'
import { SpecClient } from './spec-client.js'
import { allSpecs, type SpecHook } from './spec-kinds.js'

/**
 * `npm run bench:specs -- [--suites 5]`
 *
 * How long specs of client libraries and controllers take right after the start of a server, as envtest starts it: about two hundred
 * of them, sequentially, on a new server for each suite.
 */
const { values } = parseArgs({ options: { suites: { type: 'string', default: '5' } } })

interface SuiteFigures {
  readonly specs: readonly { readonly what: string; readonly ms: number }[]
  readonly serverCpuMs: number
}

async function runSuite(programs: string, hook: SpecHook): Promise<SuiteFigures> {
  const [servers, clients] = await Promise.all([testAuthority(), testAuthority()])
  const [serving, admin] = await Promise.all([servers.server(), clients.client('admin', 'system:masters')])
  let figures: SuiteFigures | undefined
  await inSuite(
    programs,
    async ({ etcd, port, folder }) => {
      folder.write('apiserver.crt', serving.certificatePem)
      folder.write('apiserver.key', serving.keyPem)
      const argv = [
        `--etcd-servers=${etcd}`,
        `--cert-dir=${folder.path}`,
        `--secure-port=${port}`,
        '--authorization-mode=RBAC',
        '--disable-admission-plugins=ServiceAccount',
        `--client-ca-file=${folder.write('clients.crt', clients.caPem)}`,
      ]
      return { argv, caPem: servers.caPem }
    },
    async ({ url, server }) => {
      figures = await measure(url, servers.caPem, admin, hook, server.pid)
    },
  )
  return figures!
}

async function measure(url: string, caPem: string, admin: KeyPair, hook: SpecHook, pid: number): Promise<SuiteFigures> {
  const client = new SpecClient(url, caPem, admin)
  const specs: { what: string; ms: number }[] = []
  const cpuBefore = cpuMs([pid])
  for (const [n, { what, run }] of allSpecs().entries()) {
    const startedAt = performance.now()
    await run(client, n, hook)
    specs.push({ what, ms: performance.now() - startedAt })
  }
  client.close()
  return { specs, serverCpuMs: cpuMs([pid]) - cpuBefore }
}

/** Sums by kind of spec; the first one of each suite is separate, because it does things for the first time. */
function report(suites: readonly SuiteFigures[]): void {
  const row = (...cells: (string | number)[]) =>
    console.log(cells.map((cell, at) => (at === 0 ? String(cell).padEnd(24) : String(cell).padStart(10))).join(''))
  const ofSuites = (figure: (suite: SuiteFigures) => number, digits = 0) => median(suites.map(figure)).toFixed(digits)
  const sum = (specs: SuiteFigures['specs']) => specs.reduce((total, { ms }) => total + ms, 0)
  row('specs', 'count', 'sum ms', 'first ms', 'median ms')
  for (const what of new Set(suites[0]?.specs.map(spec => spec.what))) {
    const of = ({ specs }: SuiteFigures) => specs.filter(spec => spec.what === what)
    row(
      what,
      suites[0] ? of(suites[0]).length : 0,
      ofSuites(suite => sum(of(suite))),
      ofSuites(suite => of(suite)[0]?.ms ?? 0, 1),
      ofSuites(suite => median(of(suite).map(({ ms }) => ms)), 1),
    )
  }
  row(
    'all',
    suites[0]?.specs.length ?? 0,
    ofSuites(({ specs }) => sum(specs)),
  )
  console.log(`CPU of the server: ${ofSuites(({ serverCpuMs }) => serverCpuMs)} ms`)
}

const home = temporaryFolder()
const hook = await selfSignedServer()
const webhook = await startWebhookServer({ ...hook, handlers: { '/allow': () => allowRequest() } })
try {
  const programs = await writePrograms(home.path)
  const clientConfig = {
    url: `https://localhost:${webhook.port}/allow`,
    caBundle: Buffer.from(hook.certificatePem).toString('base64'),
  }
  const suites: SuiteFigures[] = []
  for (let n = 0; n < Number(values.suites); n++) suites.push(await runSuite(programs, clientConfig))
  report(suites)
} finally {
  await webhook.close()
  home.remove()
}
