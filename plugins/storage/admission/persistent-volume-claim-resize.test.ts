import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { acmeNames } from '../testing/acme.js'
import { reviewWith, storeOf } from '../testing/review.js'
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.js'

const control = suite('PersistentVolumeClaimResize')
const classes = storeOf(
  { metadata: { name: 'grows' }, allowVolumeExpansion: true } as object,
  { metadata: { name: 'stays' }, allowVolumeExpansion: false } as object,
  { metadata: { name: 'silent' } },
)
const aClaim = (storage: string, storageClassName: string, phase: string): PersistentVolumeClaim => ({
  spec: { storageClassName, resources: { requests: { storage } } },
  status: { phase },
})

const cases = {
  'lets a bound claim of a class that allows it grow': { to: '2Gi', of: 'grows', phase: 'Bound', isRefused: false },
  'lets a claim stay as large as it is, written in another way': {
    to: '1024Mi',
    of: 'stays',
    phase: 'Pending',
    isRefused: false,
  },
  'stops a claim that is not bound': { to: '2Gi', of: 'grows', phase: 'Pending', isRefused: true },
  'stops a claim of a class that forbids it': { to: '2Gi', of: 'stays', phase: 'Bound', isRefused: true },
  'stops a claim of a class that says nothing': { to: '2Gi', of: 'silent', phase: 'Bound', isRefused: true },
  'stops a claim of a class that is gone': { to: '2Gi', of: 'gone', phase: 'Bound', isRefused: true },
  'stops a claim without a class': { to: '2Gi', of: '', phase: 'Bound', isRefused: true },
}
for (const [title, { to, of, phase, isRefused }] of Object.entries(cases))
  control(title, async () => {
    const request = { object: aClaim(to, of, phase), oldObject: aClaim('1Gi', of, phase) }
    const refusal = await reviewWith(persistentVolumeClaimResize(acmeNames), request, { reader: classes })
    assert.is(refusal !== undefined, isRefused)
  })

control('judges by the phase that is stored, not the one that is sent', async () => {
  const request = { object: aClaim('2Gi', 'grows', 'Bound'), oldObject: aClaim('1Gi', 'grows', 'Pending') }
  assert.ok(await reviewWith(persistentVolumeClaimResize(acmeNames), request, { reader: classes }))
})

control('does not let a claim borrow the class of others', async () => {
  const request = { object: aClaim('2Gi', 'grows', 'Bound'), oldObject: aClaim('1Gi', 'stays', 'Bound') }
  assert.ok(await reviewWith(persistentVolumeClaimResize(acmeNames), request, { reader: classes }))
})

control.run()
