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
  'admits the same size in another notation': {
    to: '1024Mi',
    of: 'stays',
    phase: 'Pending',
    isRefused: false,
  },
  'rejects a claim that is not bound': { to: '2Gi', of: 'grows', phase: 'Pending', isRefused: true },
  'rejects a claim of a class that forbids it': { to: '2Gi', of: 'stays', phase: 'Bound', isRefused: true },
  'rejects a claim of a class without the setting': { to: '2Gi', of: 'silent', phase: 'Bound', isRefused: true },
  'rejects a claim of a deleted class': { to: '2Gi', of: 'gone', phase: 'Bound', isRefused: true },
  'rejects a claim without a class': { to: '2Gi', of: '', phase: 'Bound', isRefused: true },
}
for (const [title, { to, of, phase, isRefused }] of Object.entries(cases))
  control(title, async () => {
    const request = { object: aClaim(to, of, phase), oldObject: aClaim('1Gi', of, phase) }
    const refusal = await reviewWith(persistentVolumeClaimResize(acmeNames), request, { reader: classes })
    assert.is(refusal !== undefined, isRefused)
  })

control('checks the stored phase, not the sent one', async () => {
  const request = { object: aClaim('2Gi', 'grows', 'Bound'), oldObject: aClaim('1Gi', 'grows', 'Pending') }
  assert.ok(await reviewWith(persistentVolumeClaimResize(acmeNames), request, { reader: classes }))
})

control('checks the stored class, not the sent one', async () => {
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
control('does not apply to new claims, or to the status', async () => {
  const object = aClaim('2Gi', 'stays', 'Pending')
  assert.is((await send({ operation: 'create', object })).refusal, undefined)
  const reported = { subresource: 'status', object, oldObject: aClaim('1Gi', 'stays', 'Pending') }
  assert.is((await send(reported)).refusal, undefined)
})

control.run()
