import type { PersistentVolumeClaimSpec } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames } from '../testing/acme.js'
import type { PersistentVolumeClaim } from './schema.js'
import { validateClaimStatus, validateClaimUpdate } from './validation.js'

const validation = suite('validation of claims')
const asking = (storage: string) => ({ resources: { requests: { storage } } })
const aClaim = (
  spec: PersistentVolumeClaimSpec = {},
  phase = 'Pending',
  annotations: Record<string, string> = {},
): PersistentVolumeClaim => ({
  metadata: { name: 'data', annotations },
  spec: { accessModes: ['ReadWriteOnce'], ...asking('1k'), volumeMode: 'Filesystem', ...spec },
  status: { phase },
})
const oldClass = { [acmeNames.classAnnotation]: 'gold' }

const updates: Record<string, { stored: PersistentVolumeClaim; sent: PersistentVolumeClaim; wrong: string[] }> = {
  'lets the volume be named once': { stored: aClaim(), sent: aClaim({ volumeName: 'a' }), wrong: [] },
  'keeps the volume': { stored: aClaim({ volumeName: 'a' }), sent: aClaim({ volumeName: 'b' }), wrong: ['spec'] },
  'keeps what was asked for': { stored: aClaim(), sent: aClaim({ selector: {} }), wrong: ['spec'] },
  'accepts the same amount in another notation': {
    stored: aClaim(asking('1k')),
    sent: aClaim(asking('1e3')),
    wrong: [],
  },
  'does not let a pending claim grow': { stored: aClaim(), sent: aClaim(asking('2k')), wrong: ['spec'] },
  'lets a bound claim grow': { stored: aClaim({}, 'Bound'), sent: aClaim(asking('2k'), 'Bound'), wrong: [] },
  'lets no claim shrink': {
    stored: aClaim({}, 'Bound'),
    sent: aClaim(asking('500'), 'Bound'),
    wrong: ['spec.resources.requests.storage'],
  },
  'keeps the volume mode': {
    stored: aClaim(),
    sent: aClaim({ volumeMode: 'Block' }),
    wrong: ['spec', 'volumeMode'],
  },
  'keeps the class of the old annotation': {
    stored: aClaim({}, 'Pending', oldClass),
    sent: aClaim({}, 'Pending', { [acmeNames.classAnnotation]: 'lead' }),
    wrong: ['metadata.annotations.volume.beta.acme.test/storage-class'],
  },
  'lets the class of the old annotation move into the spec': {
    stored: aClaim({}, 'Pending', oldClass),
    sent: aClaim({ storageClassName: 'gold' }),
    wrong: [],
  },
  'lets no other class move into the spec': {
    stored: aClaim({}, 'Pending', oldClass),
    sent: aClaim({ storageClassName: 'lead' }, 'Pending', oldClass),
    wrong: ['spec'],
  },
}
for (const [title, { stored, sent, wrong }] of Object.entries(updates))
  validation(title, () => {
    const errors = validateClaimUpdate(sent, stored, acmeNames)
    assert.equal(
      errors.map(({ field }) => field),
      wrong,
    )
  })

validation('the class of the old annotation may move into the spec, although the annotation cannot change', () => {
  const stored = aClaim({}, 'Pending', oldClass)
  const sent = aClaim({ storageClassName: 'gold' }, 'Pending', { [acmeNames.classAnnotation]: 'lead' })
  const errorsWith = (retroactiveDefaultClass: boolean) =>
    validateClaimUpdate(sent, stored, acmeNames, { recoverVolumeExpansionFailure: false, retroactiveDefaultClass }).map(
      ({ field }) => field,
    )
  const ofAnnotation = 'metadata.annotations.volume.beta.acme.test/storage-class'
  assert.equal(errorsWith(true), [ofAnnotation])
  assert.equal(errorsWith(false), [ofAnnotation, 'spec'])
})

validation('the capacity in the status cannot be negative', () => {
  const claim = { ...aClaim(), status: { phase: 'Bound', capacity: { storage: '-1' } } }
  assert.equal(
    validateClaimStatus(claim).map(({ field }) => field),
    ['status.capacity[storage]'],
  )
})

validation('allows reducing the request of a claim whose expansion failed, if that is enabled', () => {
  const stored: PersistentVolumeClaim = {
    ...aClaim(asking('9k'), 'Bound'),
    status: { phase: 'Bound', capacity: { storage: '2k' } },
  }
  const errorsFor = (storage: string, recoverVolumeExpansionFailure: boolean) =>
    validateClaimUpdate({ ...stored, spec: { ...stored.spec, ...asking(storage) } }, stored, acmeNames, {
      recoverVolumeExpansionFailure,
    }).map(({ detail }) => detail)
  assert.equal(errorsFor('3k', false), ['field can not be less than previous value'])
  assert.equal(errorsFor('3k', true), [])
  assert.equal(errorsFor('2k', true), ['field can not be less than status.capacity'])
  delete stored.status!.capacity
  assert.equal(errorsFor('1k', true), [])
})

validation.run()
