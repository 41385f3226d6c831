import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { FieldError } from '../../resource/field-errors.js'
import { Kind } from '../../resource/meta.js'
import { field } from '../../resource/schema.js'
import { schemaErrors } from '../../testing/schema-errors.js'
import { PersistentVolumeClaimSpec } from '../persistent-volume-claim-spec.js'
import { checkNotSpecialIp } from './address-rules.js'
import { validateNodeSelector } from './node-selector-rules.js'
import { validatePersistentVolumeClaimSpec } from './persistent-volume-claim-spec-rules.js'

const Claim = Kind('core.v1.Claim', { spec: field(2, PersistentVolumeClaimSpec) })
const wrong = (errors: FieldError[]) => errors.map(({ field, type }) => `${field} ${type.slice(10)}`)

const claims = suite('the spec of a claim')
const base: PersistentVolumeClaimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const snapshot = { apiGroup: 'snapshot.test', kind: 'Snapshot', name: 's' }
const cases: Record<string, [change: Partial<PersistentVolumeClaimSpec>, ...wrong: string[]]> = {
  'is valid with a mode and a size': [{}],
  'has a known access mode': [{ accessModes: ['ReadWriteOnce', 'Bogus'] }, 'spec.accessModes NotSupported'],
  'has no single-Pod access mode beside others': [
    { accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'] },
    'spec.accessModes NotSupported',
    'spec.accessModes Forbidden',
  ],
  'has a positive size': [{ resources: { requests: { storage: '0' } } }, 'spec.resources[storage] Invalid'],
  'has a size': [{ resources: {} }, 'spec.resources[storage] Required'],
  'has a valid selector': [
    { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
    'spec.selector.matchExpressions[0].values Required',
  ],
  'has a valid class name': [{ storageClassName: 'A' }, 'spec.storageClassName Invalid'],
  'has a known volume mode': [{ volumeMode: 'Bogus' }, 'spec.volumeMode NotSupported'],
  'may be filled from anything with a group': [{ dataSource: snapshot, dataSourceRef: snapshot }],
  'may be filled from a claim': [{ dataSource: { kind: 'PersistentVolumeClaim', name: 'c' } }],
  'may not be filled from other things without a group': [
    { dataSource: { kind: 'Pod', name: '' } },
    'spec.dataSource.name Required',
    'spec.dataSource Invalid',
  ],
  'may not be filled from two things': [
    { dataSource: snapshot, dataSourceRef: { ...snapshot, name: 't' } },
    'spec Invalid',
  ],
}
for (const [title, [change, ...expected]] of Object.entries(cases))
  claims(title, () => {
    const spec = { ...base, ...change }
    const found = [...schemaErrors(Claim, { spec }), ...validatePersistentVolumeClaimSpec(spec, 'spec')]
    assert.equal(wrong(found), expected)
  })

const selectors = suite('node selectors')
const selected = (
  requirement: { key: string; operator: string; values?: string[] },
  of: 'matchExpressions' | 'matchFields',
) => wrong(validateNodeSelector({ nodeSelectorTerms: [{ [of]: [requirement] }] }, 'f'))
selectors('have a term', () => {
  assert.equal(wrong(validateNodeSelector({ nodeSelectorTerms: [] }, 'f')), ['f.nodeSelectorTerms Required'])
})
selectors('accept a single number for Gt and Lt', () => {
  assert.equal(selected({ key: 'a', operator: 'Gt', values: ['1'] }, 'matchExpressions'), [])
  assert.equal(selected({ key: 'a', operator: 'Gt' }, 'matchExpressions'), [
    'f.nodeSelectorTerms[0].matchExpressions[0].values Required',
  ])
})
selectors('support a single field', () => {
  assert.equal(selected({ key: 'metadata.name', operator: 'In', values: ['n'] }, 'matchFields'), [])
  assert.equal(selected({ key: 'spec.x', operator: 'Exists' }, 'matchFields'), [
    'f.nodeSelectorTerms[0].matchFields[0].operator Invalid',
    'f.nodeSelectorTerms[0].matchFields[0].key Invalid',
  ])
})

const addresses = suite('addresses')
const special = ['0.0.0.0', '::', '127.1.2.3', '0:0::1', '169.254.1.1', 'fe80::1', '224.0.0.5', 'ff02::1', 'ff12::1']
for (const ip of [
  ...special,
  '127.00.0.01',
  '::ffff:127.0.0.1',
  '::ffff:169.254.1.1',
  '::ffff:224.0.0.5',
  '::ffff:0.0.0.0',
])
  addresses(`${ip} is only valid on this machine or link`, () => assert.is(checkNotSpecialIp(ip, 'f').length, 1))
for (const ip of [
  '0.1.2.3',
  '10.0.0.1',
  '224.0.1.1',
  '225.0.0.5',
  '239.0.0.1',
  '255.0.0.1',
  '::ffff:239.0.0.1',
  'ff05::1',
  '2001:db8::1',
  '::ffff:10.0.0.1',
])
  addresses(`${ip} is valid on other machines`, () => assert.equal(checkNotSpecialIp(ip, 'f'), []))

claims.run()
selectors.run()
addresses.run()
