import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersistentVolume } from '../persistent-volumes/schema.js'
import { acmeNames, defaultOptions } from '../testing/acme.js'
import { reviewWith } from '../testing/review.js'
import { persistentVolumeLabel } from './persistent-volume-label.js'

const control = suite('PersistentVolumeLabel')
const zone = 'topology.acme.test/zone'
const region = 'topology.acme.test/region'
const here = { ...defaultOptions, volumeZone: 'r1-a', volumeRegion: 'r1' }
const aDisk = (more: Partial<PersistentVolume> = {}): PersistentVolume => ({
  metadata: { name: 'disk' },
  spec: { awsElasticBlockStore: { volumeID: 'v' } },
  ...more,
})
const termsOf = ({ spec }: PersistentVolume) => spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []

control('is off by default', () => {
  assert.is(persistentVolumeLabel(acmeNames, here).enabledByDefault, false)
})

control('labels a disk and restricts it to its zone', async () => {
  const disk = aDisk()
  assert.is(await reviewWith(persistentVolumeLabel(acmeNames, here), { object: disk }), undefined)
  assert.equal(disk.metadata?.labels, { [zone]: 'r1-a', [region]: 'r1' })
  assert.equal(termsOf(disk), [
    {
      matchExpressions: [
        { key: zone, operator: 'In', values: ['r1-a'] },
        { key: region, operator: 'In', values: ['r1'] },
      ],
    },
  ])
})

control('does not trust the labels of a user', async () => {
  const disk = aDisk({ metadata: { name: 'disk', labels: { [zone]: 'elsewhere', mine: 'yes' } } })
  await reviewWith(persistentVolumeLabel(acmeNames, here), { object: disk })
  assert.equal(disk.metadata?.labels, { [zone]: 'r1-a', [region]: 'r1', mine: 'yes' })
})

control('trusts the labels of a provisioner, also the old ones, and a disk in several zones', async () => {
  const old = { 'failure-domain.beta.acme.test/zone': 'a__b', 'failure-domain.beta.acme.test/region': 'r' }
  const disk = aDisk({
    metadata: { name: 'd', labels: old, annotations: { [acmeNames.provisionedBy]: 'example.com/p' } },
  })
  await reviewWith(persistentVolumeLabel(acmeNames, here), { object: disk })
  assert.equal(disk.metadata?.labels, old)
  assert.equal(termsOf(disk)[0]?.matchExpressions?.[0]?.values, ['a', 'b'])
})

control('keeps existing requirements about the zone, and adds them to every other term', async () => {
  const said = { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: 'Exists' }] }] } }
  const placed = aDisk({ spec: { awsElasticBlockStore: { volumeID: 'v' }, nodeAffinity: said } })
  await reviewWith(persistentVolumeLabel(acmeNames, here), { object: placed })
  assert.equal(placed.spec?.nodeAffinity, said)

  const other = [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, { matchFields: [] }]
  const disk = aDisk({
    spec: { awsElasticBlockStore: { volumeID: 'v' }, nodeAffinity: { required: { nodeSelectorTerms: other } } },
  })
  await reviewWith(persistentVolumeLabel(acmeNames, here), { object: disk })
  assert.equal(
    termsOf(disk).map(({ matchExpressions = [] }) => matchExpressions.length),
    [3, 2],
  )
})

control('rejects a disk whose zone is unknown, and does not change other volumes', async () => {
  assert.ok(await reviewWith(persistentVolumeLabel(acmeNames, defaultOptions), { object: aDisk() }))
  const folder = aDisk({ spec: { hostPath: { path: '/' } } })
  assert.is(await reviewWith(persistentVolumeLabel(acmeNames, defaultOptions), { object: folder }), undefined)
  assert.is(folder.metadata?.labels, undefined)
})

control('labels on a dry run too, and does not change updated volumes', async () => {
  const place = persistentVolumeLabel(acmeNames, here)
  const tried = await admit(place, { resource: 'persistentvolumes', object: aDisk(), dryRun: true }, {})
  assert.equal(tried.object.metadata?.labels, { [zone]: 'r1-a', [region]: 'r1' })
  const stated = { resource: 'persistentvolumes', operation: 'update', object: aDisk(), oldObject: aDisk() } as const
  const updated = await admit(place, stated, {})
  assert.equal([updated.object, updated.refusal], [aDisk(), undefined])
})

control.run()
