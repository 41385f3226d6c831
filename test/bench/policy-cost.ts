import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { ConnectionPool } from './connection-pool.js'
import { type Cost, compare, costLines, type Variant } from './paired.js'

/**
 * `node dist/test/bench/policy-cost.js [--rounds 10]`
 *
 * What validating policies add to a dry-run Deployment of two containers: servers without any, with one, with ten, and with
 * ten that do not match alternate.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } })
const most = 20

const container = (name: string) => ({
  name,
  image: `registry.example.com/${name}:v1.2.3`,
  env: [
    { name: 'LOG_LEVEL', value: 'info' },
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  ports: [{ containerPort: 8080, name: 'http' }],
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  readinessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 5 },
  securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
})
const labels = { app: 'web', team: 'shop' }
const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels }, spec: { containers: [container('web'), container('proxy')] } },
  },
})

/** Four typical rules: replicas, labels, images and the user. */
const policySpec = (resource: string) => ({
  matchConstraints: {
    resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: [resource] }],
  },
  variables: [{ name: 'containers', expression: 'object.spec.template.spec.containers' }],
  validations: [
    { expression: 'object.spec.replicas <= 5', message: 'at most five' },
    { expression: "has(object.metadata.labels) && 'team' in object.metadata.labels" },
    { expression: "variables.containers.all(c, c.image.startsWith('registry.example.com/'))" },
    { expression: "request.userInfo.username != 'nobody'" },
  ],
})

const servers: RunningServer[] = []
const group = '/apis/admissionregistration.k8s.io/v1'

async function variantOf(
  name: string,
  policies: number,
  resource: string,
): Promise<Variant & { pool: ConnectionPool }> {
  const flags = (await flagsOf('base')).filter(
    flag => !/^--(enable-admission-plugins|disable-admission-plugins|runtime-config)/.test(flag),
  )
  const server = await startOrch({ flags: [...flags, '--controllers=-*'] })
  servers.push(server)
  const pool = new ConnectionPool({ url: server.url, token: 'admintoken', pids: [server.pid] })
  for (let i = 0; i < policies; i++) {
    const metadata = { name: `p${i}` }
    await pool.post(`${group}/validatingadmissionpolicies`, JSON.stringify({ metadata, spec: policySpec(resource) }))
    const spec = { policyName: `p${i}`, validationActions: ['Deny'] }
    await pool.post(`${group}/validatingadmissionpolicybindings`, JSON.stringify({ metadata, spec }))
  }
  const run = () => pool.post('/apis/apps/v1/namespaces/default/deployments?dryRun=All', deployment)
  return { name, pids: [server.pid], pool, run }
}

try {
  const variants = [
    await variantOf('no policy', 0, 'deployments'),
    await variantOf('1 policy', 1, 'deployments'),
    await variantOf('10 policies', 10, 'deployments'),
    await variantOf('10 policies that do not match', 10, 'ingresses'),
  ]
  const costs = await compare(variants, Number(values.rounds))
  process.stdout.write(costLines(costs))
  const [none, ...others] = costs as [Cost, ...Cost[]]
  for (const { name, cpuMs } of others)
    process.stdout.write(`${name.padEnd(34)} ${((cpuMs - none.cpuMs) * 1000).toFixed(0)} µs of CPU per request\n`)
  process.stdout.write(`target: ${most} µs for a policy\n`)
  for (const { pool } of variants) pool.close()
} finally {
  await Promise.all(servers.map(server => server.stop()))
}
