import { type Column, humanDuration } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { columns as driverColumns } from './csi-drivers/resource.js'
import { columns as claimColumns } from './persistent-volume-claims/resource.js'
import { columns as volumeColumns } from './persistent-volumes/resource.js'
import { columns as classColumns } from './storage-classes/resource.js'
import { acmeNames } from './testing/acme.js'

const printing = suite('columns of storage types')
const minuteMs = 60_000
const metadata = { name: 'a', creationTimestamp: '1970-01-01T00:00:00Z' }
const cellsOf = <T>(columns: readonly Column<T>[], object: T) => columns.map(column => column.cell(object, minuteMs))
const age = humanDuration(minuteMs)

printing('a volume shows its size, modes, claim and class', () => {
  const spec = {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadOnlyMany'],
    persistentVolumeReclaimPolicy: 'Retain',
    claimRef: { namespace: 'town', name: 'data' },
    storageClassName: 'gold',
    volumeMode: 'Block',
    volumeAttributesClassName: 'fast',
  }
  const status = { phase: 'Bound', reason: 'Why' }
  const cells = ['a', '1Gi', 'RWO,ROX,RWX', 'Retain', 'Bound', 'town/data', 'gold', 'fast', 'Why', age, 'Block']
  assert.equal(cellsOf(volumeColumns(acmeNames), { metadata, spec, status }), cells)
})

printing('a volume that is being deleted is Terminating, and the old annotation contains its class', () => {
  const going = {
    ...metadata,
    deletionTimestamp: '1970-01-01T00:00:00Z',
    annotations: { [acmeNames.classAnnotation]: 'old' },
  }
  const cells = ['a', '0', '', '', 'Terminating', '', 'old', '<unset>', '', age, '<unset>']
  assert.equal(cellsOf(volumeColumns(acmeNames), { metadata: going, spec: {}, status: { phase: 'Bound' } }), cells)
})

printing('a claim shows the capacity and modes of its volume once it has one', () => {
  const status = { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } }
  const cells = (volumeName: string) => cellsOf(claimColumns(acmeNames), { metadata, spec: { volumeName }, status })
  assert.equal(cells(''), ['a', 'Bound', '', '', '', '', '<unset>', age, '<unset>'])
  assert.equal(cells('v'), ['a', 'Bound', 'v', '2Gi', 'RWO', '', '<unset>', age, '<unset>'])
})

printing('a class says whether it is the default one', () => {
  const annotations = { 'storageclass.acme.test/is-default-class': 'true' }
  assert.equal(cellsOf(classColumns(acmeNames), { metadata: { ...metadata, annotations }, provisioner: 'p' }), [
    'a (default)',
    'p',
    'Delete',
    'Immediate',
    false,
    age,
  ])
})

printing('a driver shows its requirements for the node agent', () => {
  assert.equal(cellsOf(driverColumns, { metadata, spec: {} }), [
    'a',
    true,
    false,
    false,
    '<unset>',
    false,
    '<none>',
    age,
  ])
  const spec = {
    attachRequired: false,
    tokenRequests: [{ audience: 'x' }, { audience: 'y' }],
    volumeLifecycleModes: ['Persistent', 'Ephemeral'],
  }
  const cells = ['a', false, false, false, 'x,y', false, 'Persistent,Ephemeral', age]
  assert.equal(cellsOf(driverColumns, { metadata, spec }), cells)
})

printing.run()
