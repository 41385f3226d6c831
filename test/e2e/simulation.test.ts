import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { findProgram } from '../support/find-program.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
const demo = suite('kubectl and simulated nodes')
let server: RunningServer | undefined
let ctl: Kubectl

demo.before(async () => {
  server = await startOrch({ flags: ['--vendor', 'kubernetes', '--simulate-nodes', '3'] })
  ctl = new Kubectl(program ?? '', server)
  await eventually('three ready nodes', async () => {
    return /(node-\d +Ready +[^\n]+\n){3}/.test(await ctl.run('get', 'nodes'))
  })
})
demo.after(async () => {
  await server?.stop()
})
const countOf = async (pattern: RegExp) => [...(await ctl.run('get', 'pods')).matchAll(pattern)].length

demo('the demo of the README: a deployment is rolled out, and a watch shows its Pods', async () => {
  const watch = ctl.follow('get', 'pods', '-w')
  try {
    await ctl.run('create', 'deployment', 'web', '--image=nginx', '--replicas=3')
    const said = await ctl.run('rollout', 'status', 'deployment/web', '--timeout=25s')
    assert.match(said, 'deployment "web" successfully rolled out')
    await watch.until(/web-\S+ +0\/1 +Pending[\s\S]*web-\S+ +1\/1 +Running/)
  } finally {
    watch.stop()
  }
  assert.is(await countOf(/web-\S+ +1\/1 +Running/g), 3)
  const places = await ctl.run('get', 'pods', '-o', 'jsonpath={.items[*].spec.nodeName}')
  assert.equal(places.split(' ').sort(), ['node-1', 'node-2', 'node-3'], 'one on each')
})

demo('scales, exposes and lists everything', async () => {
  await ctl.run('scale', 'deployment/web', '--replicas=5')
  await ctl.run('rollout', 'status', 'deployment/web', '--timeout=25s')
  assert.is(await countOf(/web-\S+ +1\/1 +Running/g), 5)
  await ctl.run('expose', 'deployment/web', '--port=80')
  await eventually('endpoints of all Pods', async () => {
    const addresses = await ctl.run('get', 'endpoints', 'web', '-o', 'jsonpath={.subsets[*].addresses[*].ip}')
    return addresses.split(' ').filter(Boolean).length === 5
  })
  const all = await ctl.run('get', 'all')
  for (const part of [
    /pod\/web-\S+ +1\/1 +Running/,
    /service\/web +ClusterIP/,
    /deployment\.apps\/web +5\/5/,
    /replicaset\.apps\/web-\S+ +5 +5 +5/,
  ])
    assert.match(all, part)
})

demo('rolls an update out, and undoes it', async () => {
  await ctl.run('set', 'image', 'deployment/web', 'nginx=nginx:2')
  await ctl.run('rollout', 'status', 'deployment/web', '--timeout=25s')
  await ctl.run('rollout', 'undo', 'deployment/web')
  await ctl.run('rollout', 'status', 'deployment/web', '--timeout=25s')
  assert.is(
    await ctl.run('get', 'deployment', 'web', '-o', 'jsonpath={.spec.template.spec.containers[0].image}'),
    'nginx',
  )
})

demo('describes a Pod with its events, and a node with its Pods', async () => {
  assert.match(await ctl.run('describe', 'pods'), /Normal +Scheduled [^\n]*Successfully assigned default\/web-/)
  assert.match(await ctl.run('describe', 'node', 'node-1'), /Non-terminated Pods: +\([12] in total\)/)
})

demo('shows container logs, and follows them to their end', async () => {
  const said = '{"log":["hello from {pod}","bye"],"runFor":"2s"}'
  const overrides = { metadata: { annotations: { 'simulation.kubernetes.io/behavior': said } } }
  await ctl.run(
    'run',
    'talker',
    '--image=t',
    '--restart=Never',
    '--overrides',
    JSON.stringify({ apiVersion: 'v1', ...overrides }),
  )
  await eventually('the talker to start', async () => /Running|Completed/.test(await ctl.run('get', 'pod', 'talker')))
  assert.is(await ctl.run('logs', '-f', 'talker'), 'hello from talker\nbye\n')
  assert.is(await ctl.run('logs', 'talker', '--tail=1'), 'bye\n')
  await ctl.run('delete', 'pod', 'talker')
})

demo('drains a node: its Pods move to the others', async () => {
  await ctl.run('drain', 'node-1', '--ignore-daemonsets')
  assert.match(await ctl.run('get', 'node', 'node-1'), /Ready,SchedulingDisabled/)
  await ctl.run('rollout', 'status', 'deployment/web', '--timeout=25s')
  const places = await ctl.run('get', 'pods', '-o', 'jsonpath={.items[*].spec.nodeName}')
  assert.not.match(places, 'node-1')
  await ctl.run('uncordon', 'node-1')
})

demo('deletes it, and waits until its Pods are gone', async () => {
  await ctl.run('delete', 'deployment/web', 'service/web')
  await ctl.run('wait', '--for=delete', 'pods', '-l', 'app=web', '--timeout=25s').catch(() => {})
  await eventually('no Pods', async () => (await ctl.run('get', 'pods', '-o', 'name')) === '')
})

if (program) demo.run()
else console.log('SKIP kubectl is not installed (Debian: kubernetes-client)')
