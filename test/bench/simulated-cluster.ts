import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Vendor, vendorProfiles } from 'orch/sdk'
import { clientFromConfig } from 'orch/sdk/client'
import { startOrch } from '../support/start-orch.js'
import { cpuMs, monotonicMs, privateMiB } from './process-figures.js'

/**
 * `node dist/test/bench/simulated-cluster.js [--nodes 1000] [--pods 10000] [--deployments 100]`
 *
 * How long it takes until the Pods of deployments run on simulated nodes; and the cost of the idle nodes before.
 */
const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000' },
    pods: { type: 'string', default: '10000' },
    deployments: { type: 'string', default: '100' },
    idle: { type: 'string', default: '20' },
  },
})
const [nodeCount, podCount, deploymentCount] = [values.nodes, values.pods, values.deployments].map(Number) as [
  number,
  number,
  number,
]
const limitMs = 60_000

interface Node {
  readonly spec?: { readonly taints?: readonly unknown[] }
}
interface Deployment {
  readonly metadata: { readonly name: string }
  readonly spec?: unknown
  readonly status?: { readonly availableReplicas?: number }
}
const profile = vendorProfiles['kubernetes']
if (!profile) throw new Error('unknown vendor profile')
const server = await startOrch({ flags: ['--vendor', 'kubernetes', '--simulate-nodes', String(nodeCount)] })
const client = await clientFromConfig({ vendor: new Vendor(profile), environment: {}, path: server.adminConfig })
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const say = (text: string) => process.stdout.write(`${text}\n`)
const startedAt = monotonicMs()
const usedBy = () => cpuMs([server.pid])

try {
  const nodes = client.resource<Node>({ group: '', version: 'v1', resource: 'nodes' })
  const areUp = async () => {
    const { items } = await nodes.list()
    return items.length === nodeCount && items.every(({ spec }) => (spec?.taints ?? []).length === 0)
  }
  while (!(await areUp())) await sleep(200)
  say(`${nodeCount} nodes are ready after ${seconds(monotonicMs() - startedAt)}`)

  const leases = client.resource<Node>({ group: 'coordination.k8s.io', version: 'v1', resource: 'leases' })
  while ((await leases.in('kube-node-lease').list()).items.length < nodeCount) await sleep(500)
  await sleep(3000)
  const idleMs = Number(values.idle) * 1000
  const before = usedBy()
  await sleep(idleMs)
  say(
    `idle they use ${(((usedBy() - before) / idleMs) * 100).toFixed(1)} % of a core, ${privateMiB([server.pid]).toFixed(0)} MiB`,
  )

  const deployments = client
    .resource<Deployment>({ group: 'apps', version: 'v1', resource: 'deployments' })
    .in('default')
  const beganAt = monotonicMs()
  const cpuBefore = usedBy()
  const make = (i: number) => {
    const labels = { app: `web-${i}` }
    const containers = [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '100m', memory: '64Mi' } } }]
    const template = { metadata: { labels }, spec: { containers } }
    const spec = { replicas: podCount / deploymentCount, selector: { matchLabels: labels }, template }
    return deployments.create({ metadata: { name: `web-${i}` }, spec })
  }
  for (let i = 0; i < deploymentCount; i++) await make(i)
  let running = 0
  while (running < podCount) {
    await sleep(1000)
    const { items } = await deployments.list()
    running = items.reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0)
    if (monotonicMs() - beganAt > 5 * limitMs) throw new Error(`only ${running} Pods run by now`)
    say(`  ${seconds(monotonicMs() - beganAt)}: ${running} Pods run`)
  }
  const took = monotonicMs() - beganAt
  const phases = new Map<string, number>()
  for await (const { status } of client
    .resource<{ status: { phase: string } }>({ group: '', version: 'v1', resource: 'pods' })
    .each({ limit: 500 }))
    phases.set(status.phase, (phases.get(status.phase) ?? 0) + 1)
  say(
    `${podCount} Pods run after ${seconds(took)}, with ${seconds(usedBy() - cpuBefore)} of CPU; target: ${seconds(limitMs)}`,
  )
  say(`phases: ${JSON.stringify(Object.fromEntries(phases))}, ${privateMiB([server.pid]).toFixed(0)} MiB`)
  process.exitCode = took <= limitMs ? 0 : 1
} finally {
  await client.close()
  await server.stop()
}
