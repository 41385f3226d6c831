import { CustomObjectsApi, KubeConfig, type KubernetesObject, makeInformer } from '@kubernetes/client-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { findProgram } from '../support/find-program.js'
import { rejects } from '../support/rejects.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
const real = suite('custom resources and their clients')
let server: RunningServer | undefined
async function kubectl(): Promise<Kubectl> {
  server ??= await startOrch({ flags: ['--vendor', 'kubernetes'] })
  return new Kubectl(program ?? '', server)
}

const [group, version, plural, namespace] = ['shop.example.com', 'v1', 'widgets', 'default']
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.${group} }
spec:
  group: ${group}
  scope: Namespaced
  names: { plural: ${plural}, kind: Widget, shortNames: [wd], categories: [shop] }
  versions:
  - name: ${version}
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [replicas]
            properties:
              replicas: { type: integer, minimum: 0, description: How many there are to be. }
              color: { type: string, default: red }
          status: { type: object, x-kubernetes-preserve-unknown-fields: true }
    subresources:
      scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas }
    additionalPrinterColumns:
    - { name: Wanted, type: integer, jsonPath: .spec.replicas }
`
const widget = (name: string, spec: object) =>
  JSON.stringify({ apiVersion: `${group}/${version}`, kind: 'Widget', metadata: { name }, spec })

real('kubectl defines a type, waits for it, and applies, reads, explains, scales and deletes its objects', async () => {
  const ctl = await kubectl()
  await ctl.runWithInput(definition, 'apply', '-f', '-')
  // As in the reference, the conditions of a definition are null at first, and kubectl wait fails on that.
  const wait = ['wait', '--for=condition=Established', `crd/${plural}.${group}`, '--timeout=20s']
  await eventually(
    'the type',
    () =>
      ctl.run(...wait).then(
        () => true,
        () => false,
      ),
    60_000,
  )
  await ctl.runWithInput(widget('a', { replicas: 1 }), 'apply', '-f', '-')
  assert.match(await ctl.runWithInput(widget('a', { replicas: 1 }), 'apply', '-f', '-'), /unchanged/)
  await ctl.runWithInput(widget('a', { replicas: 2 }), 'apply', '--server-side', '--force-conflicts', '-f', '-')
  assert.match(await ctl.run('get', 'wd'), /NAME +WANTED\na +2/)
  assert.match(await ctl.run('get', 'shop', '-o', 'name'), 'widget.shop.example.com/a')
  assert.match(await ctl.run('explain', 'widgets.spec.replicas'), /How many there are to be\./)

  await ctl.run('scale', 'widget/a', '--replicas=5')
  assert.is(await ctl.run('get', 'widget', 'a', '-o', 'jsonpath={.spec.replicas} {.spec.color}'), '5 red')
  const status = { status: { conditions: [{ type: 'Ready', status: 'True' }] } }
  await ctl.run('patch', 'widget', 'a', '--type=merge', '-p', JSON.stringify(status))
  await ctl.run('wait', '--for=condition=Ready', 'widget/a', '--timeout=20s')
  await rejects(ctl.runWithInput(widget('b', { replicas: -1 }), 'apply', '-f', '-'), /spec\.replicas/)
  await ctl.run('delete', 'widget', 'a', '--wait=true', '--timeout=20s')
  await rejects(ctl.run('get', 'widget', 'a'), /NotFound/)
})

real('an informer of client-node follows custom objects', async () => {
  await kubectl()
  const config = new KubeConfig()
  config.loadFromFile(server!.adminConfig)
  const objects = config.makeApiClient(CustomObjectsApi)
  const place = { group, version, namespace, plural }
  const create = (name: string) =>
    objects.createNamespacedCustomObject({ ...place, body: JSON.parse(widget(name, { replicas: 1 })) })
  await create('first')
  const seen: string[] = []
  const informer = makeInformer(config, `/apis/${group}/${version}/namespaces/${namespace}/${plural}`, () =>
    objects.listNamespacedCustomObject(place),
  )
  for (const verb of ['add', 'update', 'delete'] as const)
    informer.on(verb, (object: KubernetesObject) => void seen.push(`${verb} ${object.metadata?.name}`))
  await informer.start()
  try {
    await create('second')
    const body = [{ op: 'replace', path: '/spec/replicas', value: 2 }]
    await eventually('both are known', () => informer.get('second', namespace) && informer.get('first', namespace))
    await objects.patchNamespacedCustomObject({ ...place, name: 'second', body })
    await eventually('the change is seen', () => seen.includes('update second'))
    await objects.deleteNamespacedCustomObject({ ...place, name: 'first' })
    await eventually('the end is seen', () => seen.includes('delete first'))
    assert.equal(
      informer.list().map(object => object.metadata?.name),
      ['second'],
    )
  } finally {
    await informer.stop()
  }
})

real.after(async () => {
  await server?.stop()
})
if (program) real.run()
else console.log('SKIP kubectl is not installed (Debian: kubernetes-client)')
