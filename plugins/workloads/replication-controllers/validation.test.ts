import { orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReplicationController } from './schema.js'
import { validateReplicationController, validateReplicationControllerUpdate } from './validation.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test' })
const container = { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }
const aController = (spec: object, podSpec: object = {}): ReplicationController =>
  ({
    metadata: { name: 'r' },
    spec: {
      selector: { a: 'b' },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', ...podSpec },
      },
      ...spec,
    },
  }) as ReplicationController
const problems = (controller: ReplicationController, validate = validateReplicationController) =>
  validate(controller, vendor).map(({ type, field }) => `${field} ${type.slice(10)}`)

const validation = suite('validation of replication controllers')
validation('rejects writable disks that several Pods share', () => {
  const volumes = [
    { name: 'v', gcePersistentDisk: { pdName: 'd', readOnly: true } },
    { name: 'w', gcePersistentDisk: { pdName: 'd' } },
  ]
  assert.equal(problems(aController({ replicas: 1 }, { volumes })), [])
  assert.equal(problems(aController({ replicas: 2 }, { volumes })), [
    'spec.template.spec.volumes[1].gcePersistentDisk.readOnly Invalid',
  ])
  assert.equal(problems(aController({ replicas: 2 }, { volumes, restartPolicy: 'Never' })), [
    'spec.template.spec.volumes[1].gcePersistentDisk.readOnly Invalid',
    'spec.template.spec.restartPolicy NotSupported',
  ])
})
validation('rejects too large annotations of Pods', () => {
  const controller = aController({})
  Object.assign(controller.spec?.template ?? {}, {
    metadata: { labels: { a: 'b' }, annotations: { x: 'y'.repeat(256 * 1024) } },
  })
  assert.equal(problems(controller), ['spec.template.annotations TooLong'])
})
validation('does not throw for a selector that no labels can match', () => {
  assert.equal(problems(aController({ selector: { 'no label': '😀' } })), ['spec.template.metadata.labels Invalid'])
})
validation('reports errors of a change twice', () => {
  const negative = aController({ replicas: -1 })
  assert.equal(problems(negative), ['spec.replicas Invalid'])
  assert.equal(problems(negative, validateReplicationControllerUpdate), [
    'spec.replicas Invalid',
    'spec.replicas Invalid',
  ])
})

validation.run()
