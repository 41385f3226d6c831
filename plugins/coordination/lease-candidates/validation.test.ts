import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { convertFirst, type LeaseCandidate } from './schema.js'
import { compareVersions, parseVersion } from './semantic-version.js'
import { validateCandidate, validateCandidateUpdate } from './validation.js'

const candidates = suite('candidates of leases')
const aCandidate = (spec: Partial<LeaseCandidate['spec']> = {}): LeaseCandidate => ({
  metadata: { name: 'c' },
  spec: {
    leaseName: 'l',
    binaryVersion: '1.36.0',
    emulationVersion: '1.35.0',
    strategy: 'OldestEmulationVersion',
    ...spec,
  },
})

const cases: Record<string, { spec: Partial<LeaseCandidate['spec']>; wrong: string[] }> = {
  'a candidate': { spec: {}, wrong: [] },
  'a custom strategy': { spec: { strategy: 'example.com/mine', emulationVersion: '' }, wrong: [] },
  'no lease': { spec: { leaseName: '' }, wrong: ['spec.leaseName'] },
  'no version': { spec: { binaryVersion: '' }, wrong: ['spec.binaryVersion'] },
  'an invalid version': { spec: { binaryVersion: '1.36' }, wrong: ['spec.binaryVersion', 'spec.binaryVersion'] },
  'a binary version below the emulation version': { spec: { binaryVersion: '1.34.0' }, wrong: ['spec.binaryVersion'] },
  'no emulation version': { spec: { emulationVersion: '' }, wrong: ['spec.emulationVersion'] },
  'an unknown strategy': { spec: { strategy: 'Coin' }, wrong: ['spec.strategy.strategy'] },
}
for (const [title, { spec, wrong }] of Object.entries(cases))
  candidates(title, () => {
    assert.equal(
      validateCandidate(aCandidate(spec)).map(({ field }) => field),
      wrong,
    )
  })

candidates('cannot change their lease', () => {
  const errors = validateCandidateUpdate(aCandidate({ leaseName: 'm' }), aCandidate())
  assert.equal(
    errors.map(({ field }) => field),
    ['spec.leaseName'],
  )
})

candidates('keep their first strategy in a round trip through the first version', () => {
  const first = convertFirst.fromStorage(aCandidate())
  assert.equal(first.spec?.preferredStrategies, ['OldestEmulationVersion'])
  assert.equal(convertFirst.toStorage(first), aCandidate())
})

candidates('versions are ordered as semver orders them', () => {
  const ordered = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.2.0',
  ]
  for (const [index, version] of ordered.slice(1).entries())
    assert.ok(compareVersions(parseVersion(ordered[index]!), parseVersion(version)) < 0, version)
})

candidates.run()
