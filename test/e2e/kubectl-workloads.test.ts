import { kubernetesProfile, Vendor } from 'orch/sdk'
import { type Client, clientFromConfig } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../support/find-program.js'
import { rejects } from '../support/rejects.js'
import { runPods } from '../support/run-pods.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
const workloads = suite('kubectl and workloads')
let server: RunningServer | undefined
let client: Client | undefined
let stopPods: (() => Promise<void>) | undefined

/** One server for all tests of this file, which simulates running Pods without a node. */
async function kubectl(): Promise<Kubectl> {
  if (server === undefined) {
    // The node of these tests has no agent, so it would become Unknown.
    server = await startOrch({ flags: ['--vendor', 'kubernetes', '--controllers=*,-nodelifecycle'] })
    const vendor = new Vendor(kubernetesProfile)
    client = await clientFromConfig({ vendor, environment: {}, path: server.adminConfig })
    stopPods = runPods(client)
  }
  return new Kubectl(program ?? '', server)
}

const rolledOut = (ctl: Kubectl, name: string) => ctl.run('rollout', 'status', name, '--timeout=25s')
const workload = (kind: string, name: string, more: object, image: string) => {
  const labels = { app: name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image }] } }
  const spec = { selector: { matchLabels: labels }, template, ...more }
  return JSON.stringify({ apiVersion: 'apps/v1', kind, metadata: { name }, spec })
}

workloads('creates a deployment, rolls out changes and rolls back', async () => {
  const ctl = await kubectl()
  await ctl.run('create', 'deployment', 'web', '--image=nginx:1', '--replicas=2', '--port=80')
  assert.match(await rolledOut(ctl, 'deploy/web'), 'deployment "web" successfully rolled out')
  assert.match(await ctl.run('get', 'deploy', 'web'), /NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +2\/2 +2 +2 +\d+s/)
  assert.is(await ctl.run('set', 'image', 'deploy/web', 'nginx=nginx:2'), 'deployment.apps/web image updated\n')
  await rolledOut(ctl, 'deploy/web')
  assert.match(await ctl.run('rollout', 'history', 'deploy/web'), /REVISION +CHANGE-CAUSE\n1 +<none>\n2 +<none>\n/)
  assert.match(await ctl.run('rollout', 'history', 'deploy/web', '--revision=1'), /Image:\s+nginx:1\n/)
  assert.is(await ctl.run('rollout', 'undo', 'deploy/web'), 'deployment.apps/web rolled back\n')
  await rolledOut(ctl, 'deploy/web')
  const image = 'jsonpath={.spec.template.spec.containers[0].image}'
  assert.is(await ctl.run('get', 'deploy', 'web', '-o', image), 'nginx:1')
  await ctl.run('rollout', 'pause', 'deploy/web')
  await rejects(ctl.run('rollout', 'restart', 'deploy/web'), /can't restart paused deployment/)
  await ctl.run('rollout', 'resume', 'deploy/web')
  assert.is(await ctl.run('rollout', 'restart', 'deploy/web'), 'deployment.apps/web restarted\n')
  await rolledOut(ctl, 'deploy/web')
})

workloads('scales, autoscales and exposes it, and lists everything', async () => {
  const ctl = await kubectl()
  await rejects(
    ctl.run('scale', 'deploy/web', '--replicas=4', '--current-replicas=9'),
    /xpected replicas to be 9, was 2/,
  )
  assert.is(await ctl.run('scale', 'deploy/web', '--replicas=3'), 'deployment.apps/web scaled\n')
  await rolledOut(ctl, 'deploy/web')
  assert.match(await ctl.run('autoscale', 'deploy/web', '--min=1', '--max=5', '--cpu-percent=80'), /autoscaled\n$/)
  assert.match(await ctl.run('expose', 'deploy/web'), 'service/web exposed')
  const all = await ctl.run('get', 'all')
  for (const name of ['pod/web-', 'service/web ', 'deployment.apps/web ', 'replicaset.apps/web-', 'autoscaling/web '])
    assert.match(all, `${name}`)
})

workloads('applies stateful and daemon sets, changes them and rolls back', async () => {
  const ctl = await kubectl()
  await ctl.runWithInput(
    JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { a: 'b' } } }),
    'create',
    '-f',
    '-',
  )
  // A node without an agent is not ready, and nothing is scheduled on it.
  await ctl.run('taint', 'nodes', 'n', 'node.kubernetes.io/not-ready-')
  for (const [kind, object, more] of [
    ['StatefulSet', 'db', { serviceName: 'db' }],
    ['DaemonSet', 'agent', {}],
  ] as const) {
    const name = `${kind.toLowerCase()}.apps/${object}`
    const apply = (image: string) => ctl.runWithInput(workload(kind, object, more, image), 'apply', '-f', '-')
    assert.is(await apply('v1'), `${name} created\n`)
    await rolledOut(ctl, name)
    assert.is(await apply('v2'), `${name} configured\n`)
    await rolledOut(ctl, name)
    assert.is(await apply('v2'), `${name} unchanged\n`)
    assert.match(await ctl.run('rollout', 'history', name), /\n1 +<none>\n2 +<none>\n/)
    assert.is(await ctl.run('rollout', 'undo', name), `${name} rolled back\n`)
    const image = 'jsonpath={.spec.template.spec.containers[0].image}'
    assert.is(await ctl.run('get', name, '-o', image), 'v1')
    assert.is(await ctl.run('rollout', 'restart', name), `${name} restarted\n`)
    await rolledOut(ctl, name)
  }
})

workloads('runs jobs to completion, and triggers a cron job manually', async () => {
  const ctl = await kubectl()
  await ctl.run('create', 'job', 'once', '--image=busybox', '--', 'date')
  await ctl.run('wait', 'job/once', '--for=condition=complete', '--timeout=25s')
  assert.match(await ctl.run('get', 'job', 'once'), /\nonce .*1\/1/)
  // Once a year, so that the schedule does not trigger during the test.
  await ctl.run('create', 'cronjob', 'rare', '--image=busybox', '--schedule=0 0 29 2 *', '--', 'date')
  // Older versions support only v1beta1 cron jobs, and the server prefers v1.
  const { clientVersion } = await ctl.json<{ clientVersion: { minor: string } }>('version', '--client')
  if (Number.parseInt(clientVersion.minor, 10) >= 21) {
    await ctl.run('create', 'job', 'now', '--from=cronjob/rare')
    await ctl.run('wait', 'job/now', '--for=condition=complete', '--timeout=25s')
  }
  assert.match(await ctl.run('get', 'cronjob', 'rare'), /\nrare +0 0 29 2 \*/)
})

/** Expected text in the description of each kind. The objects are those of the previous tests. */
const described: Readonly<Record<string, RegExp>> = {
  'deployment web': /StrategyType: +RollingUpdate[\s\S]*NewReplicaSet: +web-/,
  'replicaset -l app=web': /Controlled By: +Deployment\/web/,
  'statefulset db': /Update Strategy: +RollingUpdate/,
  'daemonset agent': /Desired Number of Nodes Scheduled: 1/,
  'controllerrevision -l app=db': /Kind: +ControllerRevision/,
  'job once': /Pods Statuses: +0 (Active|Running).* \/ 1 Succeeded/,
  'cronjob rare': /Schedule: +0 0 29 2 \*/,
  'hpa web': /Reference: +Deployment\/web/,
  'service web': /Selector: +app=web/,
  'endpoints web': /Name: +web/,
  'endpointslice -l kubernetes.io/service-name=web': /AddressType: +IPv4/,
  'pdb web': /Min available: +1/,
  'flowschema exempt': /Kind: +FlowSchema[\s\S]*Priority Level Configuration/,
  'prioritylevelconfiguration exempt': /Kind: +PriorityLevelConfiguration/,
  'node n': /Name: +n\n/,
}
workloads('describes every kind of them', async () => {
  const ctl = await kubectl()
  await ctl.run('create', 'poddisruptionbudget', 'web', '--selector=app=web', '--min-available=1')
  const texts = await Promise.all(
    Object.keys(described).map(async words => [words, await ctl.run('describe', ...words.split(' '))] as const),
  )
  for (const [words, text] of texts) assert.match(text, described[words] ?? /^$/, words)
})

workloads('deletes its objects with their dependents', async () => {
  const ctl = await kubectl()
  assert.match(
    await ctl.run('delete', 'deploy/web', 'job/once', 'cronjob/rare', '--timeout=25s'),
    /deployment.apps "web" deleted/,
  )
  await ctl.run('wait', 'pods', '-l', 'app=web', '--for=delete', '--timeout=25s').catch(error => {
    // They were already gone.
    if (!/no matching resources found/.test(String(error))) throw error
  })
  assert.is(await ctl.run('get', 'pods', '-l', 'app=web', '-o', 'name'), '')
})

workloads.after(async () => {
  await stopPods?.()
  await client?.close()
  await server?.stop()
})
if (program) workloads.run()
else console.log('SKIP kubectl is not installed (Debian: kubernetes-client)')
