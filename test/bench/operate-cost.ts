import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startIssuer } from '../api/authentication/oidc-issuer.js'
import { webhook } from '../support/authorization-configuration.js'
import { startHttpsReceiver } from '../support/https-receiver.js'
import { startOtlpReceiver } from '../support/otlp-receiver.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { BenchServer, kibPayload } from './bench-server.js'
import { ConnectionPool } from './connection-pool.js'
import { LoadClient } from './load-client.js'
import { median } from './process-figures.js'

/**
 * `node dist/test/bench/operate-cost.js [--rounds 7] [--gets 20000] [--only 'access-log,tracing 1 %']`
 *
 * The cost of operating a server: its CPU time per `get` of an ordinary user, with logs, traces, configurations of authentication
 * and authorization, and backups, compared with a server without any. All get the same requests in turn.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    gets: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
  },
})
const [clients, objects] = [16, 256]
const [user, userToken] = ['ann', 'anntoken']
const folder = temporaryFolder()
const tokens = folder.write('tokens.csv', `admintoken,admin,1,"system:masters"\n${userToken},${user},2\n`)
const policy = folder.write('policy.yaml', 'omitStages: [RequestReceived]\nrules: [{level: Metadata}]\n')
const receiver = await startHttpsReceiver(() => ({ code: 200, text: '' }))
const otlp = await startOtlpReceiver()
const issuer = await startIssuer()
await issuer.publish({ one: issuer.keys })

const tracing = (rate: number) => [`--tracing-endpoint=${otlp.endpoint}`, `--tracing-sampling-rate-per-million=${rate}`]
const configuration = (kind: string, content: object) =>
  folder.write(`${kind}.json`, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind, ...content }))
const jwt = [
  {
    issuer: { url: issuer.url, certificateAuthority: issuer.caPem, audiences: ['my-client'] },
    claimValidationRules: [{ expression: "claims.name == 'jane'", message: 'nobody else' }],
    claimMappings: { username: { expression: `claims.name == 'jane' ? '${user}' : 'other'` } },
  },
]
const notAsked = webhook('not-asked', receiver.configFile(folder), {
  matchConditionSubjectAccessReviewVersion: 'v1',
  matchConditions: [{ expression: "request.user == 'somebody'" }],
})

const variants: Record<string, { readonly flags?: string[]; readonly token?: string }> = {
  off: {},
  // A control: how much two identical servers differ.
  'off again': {},
  'tracing 0 %': { flags: tracing(0) },
  'tracing 1 %': { flags: tracing(10_000) },
  'tracing 100 %': { flags: tracing(1_000_000) },
  'access-log': { flags: [`--access-log=${join(folder.path, 'access.log')}`, '--access-log-maxbackup=1'] },
  'log --v 3': { flags: ['--v=3'] },
  'audit-log': {
    flags: [
      `--audit-log-path=${join(folder.path, 'audit.log')}`,
      `--audit-policy-file=${policy}`,
      '--audit-log-maxbackup=1',
    ],
  },
  'audit-webhook': {
    flags: [
      `--audit-webhook-config-file=${receiver.configFile(folder)}`,
      `--audit-policy-file=${policy}`,
      '--audit-webhook-batch-max-wait=1s',
      '--audit-webhook-batch-buffer-size=1000000',
    ],
  },
  'JWT issuer': {
    flags: [`--authentication-config=${configuration('AuthenticationConfiguration', { jwt })}`],
    token: await issuer.token({ exp: Math.floor(Date.now() / 1000) + 7200 }),
  },
  // Its condition is evaluated for every request.
  'authz webhook': {
    flags: [
      `--authorization-config=${configuration('AuthorizationConfiguration', { authorizers: [notAsked, { type: 'RBAC', name: 'rbac' }] })}`,
    ],
  },
  backups: { flags: [`--backup-interval=1m`, `--backup-keep=1`] },
}
const only = values.only === '' ? Object.keys(variants) : ['off', ...values.only.split(',')]
const binding = {
  metadata: { name: user },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:aggregate-to-view' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
}

const loadClient = new LoadClient()
const servers: { name: string; running: RunningServer; token: string; namespace: string }[] = []
try {
  for (const name of only) {
    const { flags = [], token = userToken } = variants[name] ?? {}
    const loops = name === 'backups' ? [] : ['--controllers=-*']
    const running = await startOrch({
      flags: ['--vendor=kubernetes', `--token-auth-file=${tokens}`, ...loops, ...flags],
    })
    const target = { url: running.url, token: 'admintoken', pids: [running.pid] }
    const pool = new ConnectionPool(target)
    await pool.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', JSON.stringify(binding))
    pool.close()
    const namespace = await new BenchServer(target, loadClient).fill('operate', objects)
    servers.push({ name, running, token, namespace })
  }
  const costs = new Map<string, number[]>(only.map(name => [name, []]))
  // The first round only warms up.
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const { name, running, token, namespace } of servers) {
      const { serverCpuMs, latencies } = await loadClient.do('load', {
        target: { url: running.url, token, pids: [running.pid] },
        operation: 'get',
        namespace,
        size: kibPayload,
        first: 0,
        objects,
        salt: 0,
        clients,
        count: Number(values.gets),
      })
      if (round > 0) costs.get(name)?.push((serverCpuMs * 1e3) / latencies.length)
    }
  const off = costs.get('off') ?? []
  for (const [name, each] of costs) {
    const ratio = median(each.map((cost, round) => cost / off[round]!))
    console.log(`get, ${name.padEnd(14)} ${median(each).toFixed(1)} µs of CPU × ${ratio.toFixed(3)}`)
  }
} finally {
  for (const { running } of servers) await running.stop()
  await loadClient.close()
  await receiver.stop()
  await otlp.stop()
  await issuer.close()
  folder.remove()
}
