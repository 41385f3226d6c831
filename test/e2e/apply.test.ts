import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../support/find-program.js'
import { rejects } from '../support/rejects.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
let server: RunningServer | undefined

/** One server for all tests of this file, started by the first of them. */
async function kubectl(environment: Record<string, string> = {}): Promise<Kubectl> {
  server ??= await startOrch({ flags: ['--vendor', 'kubernetes'] })
  return new Kubectl(program ?? '', server, environment)
}
interface Printed {
  metadata: { annotations?: Record<string, string>; managedFields: Owner[] }
  data?: Record<string, string>
}
interface Owner {
  manager: string
  operation: string
  subresource?: string
  fieldsV1: Record<string, unknown>
}

const configMap = (name: string, data: Record<string, string>) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
const serverSide = (ctl: Kubectl, object: string, ...flags: string[]) =>
  ctl.runWithInput(object, 'apply', '--server-side', '-f', '-', ...flags)
const clientSide = (ctl: Kubectl, object: string) => ctl.runWithInput(object, 'apply', '-f', '-')
const dataOf = async (ctl: Kubectl, name: string) => (await ctl.json<Printed>('get', 'cm', name)).data
/** Field owners: `kubectl Apply` → the keys of data that it owns. */
async function ownersOf(ctl: Kubectl, kind: string, name: string): Promise<Record<string, Owner>> {
  const { metadata } = await ctl.json<Printed>('get', kind, name, '--show-managed-fields')
  return Object.fromEntries(metadata.managedFields.map(each => [`${each.manager} ${each.operation}`, each]))
}

const applying = suite('kubectl apply')

applying('on the server: creates, changes and removes fields', async () => {
  const ctl = await kubectl()
  assert.match(await serverSide(ctl, configMap('ssa', { one: '1', two: '2' })), 'configmap/ssa serverside-applied')
  await ctl.run('patch', 'cm', 'ssa', '--type=merge', '-p', '{"data":{"foreign":"x"}}')
  await serverSide(ctl, configMap('ssa', { one: '3' }))
  assert.equal(await dataOf(ctl, 'ssa'), { one: '3', foreign: 'x' })
  const owners = await ownersOf(ctl, 'cm', 'ssa')
  assert.equal(owners['kubectl Apply']?.fieldsV1, { 'f:data': { 'f:one': {} } })
  assert.equal(owners['kubectl-patch Update']?.fieldsV1, { 'f:data': { 'f:foreign': {} } })
})

applying('on the server: reports conflicting owners, unless forced', async () => {
  const ctl = await kubectl()
  await serverSide(ctl, configMap('contested', { one: '1' }))
  const other = (...flags: string[]) =>
    serverSide(ctl, configMap('contested', { one: '2' }), '--field-manager=other', ...flags)
  await rejects(other(), /conflict with "kubectl": \.data\.one/)
  await other('--force-conflicts')
  assert.equal(await dataOf(ctl, 'contested'), { one: '2' })
  assert.equal(Object.keys(await ownersOf(ctl, 'cm', 'contested')), ['other Apply'])
})

applying('on the server: a difference and a dry run change nothing', async () => {
  const ctl = await kubectl()
  await serverSide(ctl, configMap('same', { one: '1' }))
  const wanted = configMap('same', { one: '2' })
  await rejects(ctl.runWithInput(wanted, 'diff', '--server-side', '-f', '-'), /Command failed/)
  assert.match(await serverSide(ctl, wanted, '--dry-run=server'), 'serverside-applied (server dry run)')
  assert.equal(await dataOf(ctl, 'same'), { one: '1' })
})

applying('by the client: a three-way merge preserves fields of others', async () => {
  const ctl = await kubectl()
  assert.match(await clientSide(ctl, configMap('csa', { one: '1', two: '2' })), 'configmap/csa created')
  await ctl.run('patch', 'cm', 'csa', '--type=merge', '-p', '{"data":{"foreign":"x"}}')
  assert.match(await clientSide(ctl, configMap('csa', { one: '3' })), 'configmap/csa configured')
  assert.match(await clientSide(ctl, configMap('csa', { one: '3' })), 'configmap/csa unchanged')
  assert.equal(await dataOf(ctl, 'csa'), { one: '3', foreign: 'x' })
  assert.match(await ctl.run('apply', 'view-last-applied', 'cm', 'csa'), /one: "3"/)
})

applying('moves from the client to the server without conflict, and back', async () => {
  const ctl = await kubectl()
  await clientSide(ctl, configMap('moved', { one: '1', two: '2', three: '3' }))
  await serverSide(ctl, configMap('moved', { one: '9', two: '2', three: '3' }))
  assert.not.ok('kubectl-client-side-apply Update' in (await ownersOf(ctl, 'cm', 'moved')), 'the old owner is removed')

  await serverSide(ctl, configMap('moved', { one: '9', three: '3' }))
  assert.equal(await dataOf(ctl, 'moved'), { one: '9', three: '3' }, 'removed on the server')
  assert.match(await ctl.run('apply', 'view-last-applied', 'cm', 'moved'), /one: "9"/)

  await clientSide(ctl, configMap('moved', { one: '10' }))
  assert.equal(await dataOf(ctl, 'moved'), { one: '10' }, 'removed by the client, by the last applied configuration')
  await serverSide(ctl, configMap('moved', { one: '11' }))
  assert.equal(await dataOf(ctl, 'moved'), { one: '11' }, 'and back to the server')
})

const pod = `
apiVersion: v1
kind: Pod
metadata: { name: pod, labels: { app: a } }
spec:
  automountServiceAccountToken: false
  containers: [{ name: main, image: one, env: [{ name: A, value: "1" }] }, { name: side, image: two }]
`
const service = `
apiVersion: v1
kind: Service
metadata: { name: service }
spec: { selector: { app: a }, ports: [{ name: http, port: 80 }] }
`
const controller = `
apiVersion: v1
kind: ReplicationController
metadata: { name: controller }
spec:
  replicas: 1
  selector: { app: a }
  template:
    metadata: { labels: { app: a } }
    spec: { containers: [{ name: main, image: one, env: [{ name: A, value: "1" }] }] }
`
const images = (ctl: Kubectl) => ctl.run('get', 'pod', 'pod', '-o', 'jsonpath={.spec.containers[*].image}')
const portsOf = (ctl: Kubectl) => ctl.run('get', 'svc', 'service', '-o', 'jsonpath={.spec.ports[*].port}')

applying('patches lists by their keys: containers by name, ports by number', async () => {
  const ctl = await kubectl()
  await clientSide(ctl, `${pod}---${service}`)
  const patch = (kind: string, name: string, spec: object) =>
    ctl.run('patch', kind, name, '--type=strategic', '-p', JSON.stringify({ spec }))
  await patch('pod', 'pod', { containers: [{ name: 'side', image: 'three' }] })
  assert.is(await images(ctl), 'one three')
  await patch('svc', 'service', { ports: [{ name: 'https', port: 443 }] })
  assert.is(await portsOf(ctl), '443 80')
  await patch('svc', 'service', { ports: [{ port: 80, $patch: 'delete' }] })
  assert.is(await portsOf(ctl), '443')
  await ctl.run('set', 'selector', 'svc', 'service', 'app=b')
  assert.is(await ctl.run('get', 'svc', 'service', '-o', 'jsonpath={.spec.selector}'), '{"app":"b"}')
})

applying('edits in an editor', async () => {
  await clientSide(await kubectl(), pod)
  const ctl = await kubectl({ KUBE_EDITOR: 'sed -i "s/image: one/image: edited/"' })
  assert.match(await ctl.run('edit', 'pod', 'pod'), 'pod/pod edited')
  assert.match(await images(ctl), /^edited /)
  const bold = await kubectl({ KUBE_EDITOR: 'sed -i "s/restartPolicy: Always/restartPolicy: Never/"' })
  await rejects(bold.run('edit', 'pod', 'pod'), /pod updates may not change fields other than|Edit cancelled/)
})

applying('sets parts of a template and scales', async () => {
  const ctl = await kubectl()
  await clientSide(ctl, controller)
  await ctl.run('scale', 'rc', 'controller', '--replicas=3')
  await rejects(ctl.run('scale', 'rc', 'controller', '--replicas=4', '--current-replicas=1'), /replicas to be 1, was 3/)
  const scaled = (await ownersOf(ctl, 'rc', 'controller'))['kubectl Update']
  assert.equal([scaled?.subresource, scaled?.fieldsV1], ['scale', { 'f:spec': { 'f:replicas': {} } }])
  await ctl.run('set', 'image', 'rc/controller', 'main=two')
  await ctl.run('set', 'env', 'rc/controller', 'B=2', 'A-')
  await ctl.run('set', 'resources', 'rc/controller', '--limits=cpu=500m')
  const template = '{.spec.replicas} {.spec.template.spec.containers[0]'
  const look = (path: string) => ctl.run('get', 'rc', 'controller', '-o', `jsonpath=${template}${path}}`)
  assert.is(await look('.image'), '3 two')
  assert.is(await look('.env'), '3 [{"name":"B","value":"2"}]')
  assert.is(await look('.resources.limits'), '3 {"cpu":"500m"}')
  await clientSide(ctl, controller)
  assert.is(await look('.env[*].name'), '1 A B', 'applied fields are restored, others are kept')
})

applying.after(async () => {
  await server?.stop()
})

if (program) applying.run()
else console.log('SKIP kubectl is not installed (Debian: kubernetes-client)')
