import type { PersistentVolumeClaimSpec, TypedObjectReference } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames } from '../testing/acme.js'
import { hasSourceGroup, normalizeDataSources } from './data-sources.js'

const dataSources = suite('data sources of claims')
const claim = { kind: 'PersistentVolumeClaim', name: 'a' }
const snapshot = { apiGroup: 'snapshot.storage.acme.test', kind: 'VolumeSnapshot', name: 's' }
const elsewhere: TypedObjectReference = { ...claim, namespace: 'other' }
const other = { apiGroup: 'example.com', kind: 'Backup', name: 'b' }

const cases: Record<
  string,
  {
    any: boolean
    crosses?: boolean
    sent: PersistentVolumeClaimSpec
    stored?: PersistentVolumeClaimSpec
    settled: PersistentVolumeClaimSpec
  }
> = {
  'a claim or a snapshot is kept': { any: false, sent: { dataSource: snapshot }, settled: { dataSource: snapshot } },
  'anything else is dropped': { any: false, sent: { dataSource: other }, settled: {} },
  'a stored source is kept': {
    any: false,
    sent: { dataSource: other },
    stored: { dataSource: other },
    settled: { dataSource: other },
  },
  'the reference to anything is dropped while it is off': { any: false, sent: { dataSourceRef: claim }, settled: {} },
  'the source is copied into the reference': {
    any: true,
    sent: { dataSource: claim },
    settled: { dataSource: claim, dataSourceRef: claim },
  },
  'the reference is copied into the source, whatever it names': {
    any: true,
    sent: { dataSourceRef: other },
    settled: { dataSource: other, dataSourceRef: other },
  },
  'a source of any kind stays beside a reference, for validation to compare': {
    any: true,
    sent: { dataSource: other, dataSourceRef: claim },
    settled: { dataSource: other, dataSourceRef: claim },
  },
  'a reference into another namespace is dropped while that is off': {
    any: true,
    sent: { dataSourceRef: elsewhere },
    settled: {},
  },
  'a reference into another namespace is not copied into the source': {
    any: true,
    crosses: true,
    sent: { dataSourceRef: elsewhere },
    settled: { dataSourceRef: elsewhere },
  },
  'an empty namespace is none': {
    any: true,
    sent: { dataSourceRef: { ...claim, namespace: '' } as TypedObjectReference },
    settled: { dataSource: claim, dataSourceRef: { ...claim, namespace: '' } as TypedObjectReference },
  },
  'two that differ are left to validation': {
    any: true,
    sent: { dataSource: claim, dataSourceRef: other },
    settled: { dataSource: claim, dataSourceRef: other },
  },
}
for (const [title, { any, crosses = false, sent, stored, settled }] of Object.entries(cases))
  dataSources(title, () => {
    const draft = structuredClone(sent)
    normalizeDataSources(draft, stored, acmeNames, {
      anyVolumeDataSource: any,
      crossNamespaceVolumeDataSource: crosses,
    })
    assert.equal(draft, settled)
  })

dataSources('have no group if it is null, as it is in what is stored without one', () => {
  const ungrouped = { ...claim, apiGroup: null as unknown as string }
  assert.not(hasSourceGroup({}))
  assert.not(hasSourceGroup({ dataSource: ungrouped, dataSourceRef: { ...ungrouped } }))
  assert.ok(hasSourceGroup({ dataSource: ungrouped, dataSourceRef: snapshot }))
})

dataSources.run()
