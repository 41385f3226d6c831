import { ServedLevel, type VersionName } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { StorageClass } from './schema.js'
import { validateStorageClass, validateStorageClassUpdate } from './validation.js'

const validation = suite('validation of storage classes')
const aClass = (more: Partial<StorageClass> = {}): StorageClass => ({
  provisioner: 'example.com/disks',
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  ...more,
})
const term = (key: string, ...values: string[]) => ({ matchLabelExpressions: [{ key, values }] })

const created: Record<string, { more: Partial<StorageClass>; wrong: string[] }> = {
  'accepts capitals in a provisioner': { more: { provisioner: 'Example.com/Disks' }, wrong: [] },
  'refuses too many parameters': {
    more: { parameters: Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`k${i}`, ''])) },
    wrong: ['FieldValueTooLong parameters'],
  },
  'refuses too large parameters': {
    more: { parameters: { k: 'x'.repeat(256 * 1024) } },
    wrong: ['FieldValueTooLong parameters'],
  },
  'refuses a parameter without a name': { more: { parameters: { '': 'x' } }, wrong: ['FieldValueInvalid parameters'] },
  'accepts several places': { more: { allowedTopologies: [term('zone', 'a'), term('zone', 'b')] }, wrong: [] },
  'accepts many thousands of places': {
    more: { allowedTopologies: Array.from({ length: 20_000 }, (_, i) => term('zone', `z${i}`)) },
    wrong: [],
  },
  'refuses the same place twice, in whatever order': {
    more: { allowedTopologies: [term('zone', 'a', 'b'), term('zone', 'b', 'a')] },
    wrong: ['FieldValueDuplicate allowedTopologies[1].matchLabelExpressions'],
  },
  'rejects an empty topology': {
    more: { allowedTopologies: [{}] },
    wrong: ['FieldValueDuplicate allowedTopologies[0].matchLabelExpressions'],
  },
}
for (const [title, { more, wrong }] of Object.entries(created))
  validation(title, () => {
    assert.equal(
      validateStorageClass(aClass(more)).map(({ type, field }) => `${type} ${field}`),
      wrong,
    )
  })

validation('fields that affect existing volumes are immutable', () => {
  const sent = aClass({
    provisioner: 'example.com/other',
    parameters: { a: 'b' },
    reclaimPolicy: 'Retain',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
    mountOptions: ['ro'],
  })
  const errorsAt = (version: VersionName) =>
    validateStorageClassUpdate(sent, aClass(), { level: new ServedLevel(version) })
  for (const version of ['1.35', '1.36'] as const)
    assert.equal(
      errorsAt(version).map(({ field }) => field),
      ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'],
    )
  assert.equal([errorsAt('1.35')[0]?.type, errorsAt('1.36')[0]?.type], ['FieldValueForbidden', 'FieldValueInvalid'])
})

validation.run()
