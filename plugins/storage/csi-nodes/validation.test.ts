import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CSINode, CSINodeDriver } from './schema.js'
import { validateCsiNode, validateCsiNodeUpdate } from './validation.js'

const validation = suite('validation of CSI nodes')
const aDriver = (more: Partial<CSINodeDriver> = {}): CSINodeDriver => ({
  name: 'csi.example.com',
  nodeID: 'n',
  ...more,
})
const withDrivers = (...drivers: CSINodeDriver[]): CSINode => ({ spec: { drivers } })
const problems = (node: CSINode) => validateCsiNode(node).map(({ type, field }) => `${type} ${field}`)

validation('drivers are unique, and their ids and counts are limited', () => {
  assert.equal(problems(withDrivers(aDriver({ nodeID: 'x'.repeat(256), allocatable: { count: 0 } }))), [])
  const node = withDrivers(aDriver(), aDriver({ nodeID: 'x'.repeat(257), allocatable: { count: -1 } }))
  assert.equal(problems(node), [
    'FieldValueInvalid spec.drivers[1].nodeID',
    'FieldValueInvalid spec.drivers[1].allocatable.count',
    'FieldValueDuplicate spec.drivers[1].name',
  ])
})

validation('topology keys are labels, each once, reported at their driver', () => {
  assert.equal(problems(withDrivers(aDriver({ topologyKeys: ['zone', 'zone', 'not a label'] }))), [
    'FieldValueDuplicate spec.drivers[0]',
    'FieldValueInvalid spec.drivers[0]',
  ])
})

validation('drivers can be added and removed, but not changed', () => {
  const stored = withDrivers(aDriver(), aDriver({ name: 'old.example.com' }))
  const sent = withDrivers(aDriver({ nodeID: 'other' }), aDriver({ name: 'new.example.com' }))
  assert.equal(
    validateCsiNodeUpdate(sent, stored).map(({ field }) => field),
    ['CSINodeDriver'],
  )
  assert.equal(
    validateCsiNodeUpdate(withDrivers(aDriver({ name: 'new.example.com', nodeID: '' })), stored).map(
      ({ field }) => field,
    ),
    ['spec.drivers[0].nodeID', 'spec.drivers[0].nodeID'],
  )
})

validation.run()
