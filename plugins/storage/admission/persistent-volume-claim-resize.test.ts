import { admit, type StatedRequest } from 'orch/sdk/testing'
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

const send = (stated: StatedRequest<PersistentVolumeClaim>) =>
  admit(
    persistentVolumeClaimResize(acmeNames),
    { resource: 'persistentvolumeclaims', operation: 'update', ...stated },
    { reader: classes },
  )
control('decides the same on a dry run, and changes nothing', async () => {
  const [small, large] = [aClaim('1Gi', 'stays', 'Bound'), aClaim('2Gi', 'stays', 'Bound')]
  assert.is((await send({ object: large, oldObject: small, dryRun: true })).refusal?.code, 403)
  const growing = { object: aClaim('2Gi', 'grows', 'Bound'), oldObject: aClaim('1Gi', 'grows', 'Bound') }
  const { refusal, object } = await send({ ...growing, dryRun: true })
  assert.equal([refusal, object], [undefined, growing.object])
})
control('is not concerned with a new claim, or with its status', async () => {
  const object = aClaim('2Gi', 'stays', 'Pending')
  assert.is((await send({ operation: 'create', object })).refusal, undefined)
  const reported = { subresource: 'status', object, oldObject: aClaim('1Gi', 'stays', 'Pending') }
  assert.is((await send(reported)).refusal, undefined)
})

control.run()
