import type { PersistentVolumeClaimSpec, PersistentVolumeSpec } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import type { PersistentVolume } from '../persistent-volumes/schema.js'
import { acmeNames } from '../testing/acme.js'
import { findVolumeFor, mismatchReason } from './match-volume.js'

const matching = suite('volumes for a claim')
const aVolume = (
  name: string,
  spec: PersistentVolumeSpec = {},
  more: Partial<PersistentVolume> = {},
): PersistentVolume => ({
  metadata: { name },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
  status: { phase: 'Available' },
  ...more,
})
const aClaim = (spec: PersistentVolumeClaimSpec = {}): PersistentVolumeClaim => ({
  metadata: { name: 'c', namespace: 'town', uid: 'u' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
})
const size = (storage: string) => ({ capacity: { storage } })

const cases: Record<
  string,
  { volumes: PersistentVolume[]; claim?: PersistentVolumeClaim; isWaiting?: boolean; found: string | undefined }
> = {
  'the smallest that is large enough': {
    volumes: [aVolume('large', size('10Gi')), aVolume('small', size('1023Mi')), aVolume('right', size('1.5Gi'))],
    found: 'right',
  },
  'the one with the fewest access modes, even if it is larger': {
    volumes: [aVolume('able', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }), aVolume('plain', size('2Gi'))],
    found: 'plain',
  },
  'one with all the access modes': {
    volumes: [aVolume('plain'), aVolume('able', { accessModes: ['ReadOnlyMany', 'ReadWriteOnce'] })],
    claim: aClaim({ accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }),
    found: 'able',
  },
  'one of the class': {
    volumes: [aVolume('none'), aVolume('gold', { storageClassName: 'gold' })],
    claim: aClaim({ storageClassName: 'gold' }),
    found: 'gold',
  },
  'none of another class': { volumes: [aVolume('gold', { storageClassName: 'gold' })], found: undefined },
  'one of the mode, where none is a file system': {
    volumes: [aVolume('raw', { volumeMode: 'Block' }), aVolume('files')],
    claim: aClaim({ volumeMode: 'Filesystem' }),
    found: 'files',
  },
  'one with the labels': {
    volumes: [aVolume('a'), aVolume('b', {}, { metadata: { name: 'b', labels: { disk: 'fast' } } })],
    claim: aClaim({ selector: { matchLabels: { disk: 'fast' } } }),
    found: 'b',
  },
  'none that is bound, being deleted or not available': {
    volumes: [
      aVolume('taken', { claimRef: { namespace: 'town', name: 'other' } }),
      aVolume('namesake', { claimRef: { namespace: 'town', name: 'c', uid: 'before' } }),
      aVolume('going', {}, { metadata: { name: 'going', deletionTimestamp: '2030-01-01T00:00:00Z' } }),
      aVolume('released', {}, { status: { phase: 'Released' } }),
    ],
    found: undefined,
  },
  'the one that names the claim, whatever its class and labels': {
    volumes: [
      aVolume('free'),
      aVolume('mine', { storageClassName: 'gold', claimRef: { namespace: 'town', name: 'c' }, ...size('9Gi') }),
    ],
    found: 'mine',
  },
  'not even the one that names the claim, if it is too small': {
    volumes: [aVolume('mine', { claimRef: { namespace: 'town', name: 'c', uid: 'u' }, ...size('1Mi') })],
    found: undefined,
  },
  'none while the first consumer is awaited': { volumes: [aVolume('free')], isWaiting: true, found: undefined },
  'the one that names the claim also while the first consumer is awaited': {
    volumes: [aVolume('free'), aVolume('mine', { claimRef: { namespace: 'town', name: 'c', uid: 'u' } })],
    isWaiting: true,
    found: 'mine',
  },
}
for (const [title, { volumes, claim = aClaim(), isWaiting = false, found }] of Object.entries(cases))
  matching(title, () => {
    assert.is(findVolumeFor(claim, volumes, acmeNames, isWaiting)?.metadata?.name, found)
  })

matching('reports why a named volume does not match', () => {
  const why = (spec: PersistentVolumeSpec) => mismatchReason(aVolume('a', spec), aClaim(), acmeNames)
  assert.is(why({}), undefined)
  assert.match(why(size('1Mi')) ?? '', 'too small')
  assert.match(why({ storageClassName: 'gold' }) ?? '', 'storageClassName')
  assert.match(why({ volumeAttributesClassName: 'gold' }) ?? '', 'volumeAttributesClassName')
  assert.match(why({ volumeMode: 'Block' }) ?? '', 'volumeMode')
  assert.match(why({ accessModes: ['ReadOnlyMany'] }) ?? '', 'accessMode')
})

matching.run()
