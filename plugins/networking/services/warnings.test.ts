import { kubernetesProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serviceNames } from './names.js'
import { serviceWarnings } from './warnings.js'

const namesAt = (version: string) => serviceNames(new Vendor(profileAtVersion(kubernetesProfile, version)!))

/** A range, and a part of each warning about it, in older versions and since 1.33. */
const cases: Record<string, [range: string, older: RegExp[], newer: RegExp[]]> = {
  'that are canonical cause none': ['10.1.0.0/24', [], []],
  'with spaces around them cause none since 1.33': [' 10.1.0.0/24 ', [/not in canonical form/], []],
  'with bits behind the prefix are ambiguous since 1.33': ['10.1.0.7/24', [], [/ambiguous/]],
  'of IPv6 with bits behind the prefix, too': ['fd00::1/64', [], [/ambiguous/]],
  'with leading zeros cause one': ['010.1.0.0/24', [/non-standard/], [/non-standard/]],
  'that break both rules cause two': ['010.1.0.7/24', [/non-standard/], [/ambiguous/, /non-standard/]],
  'that are mapped into IPv6 cause one since 1.33': ['::ffff:10.1.0.0/120', [], [/use "10\.1\.0\.0\/24"/]],
  'that are mapped into IPv6 and reach beyond IPv4 are not shortened': [
    '::ffff:10.1.0.0/64',
    [],
    [/should be "::\/64"/, /use "::\/64"/],
  ],
  'of IPv6 that are not canonical cause one': ['FD00::/64', [/"fd00::\/64"/], [/"fd00::\/64"/]],
}
const warnings = suite('warnings about source ranges of services')
for (const [title, [range, older, newer]] of Object.entries(cases))
  for (const [version, expected] of [
    ['1.32', older],
    ['1.33', newer],
  ] as const)
    warnings(`${title} (${version})`, () => {
      const spec = { type: 'LoadBalancer', loadBalancerSourceRanges: [range] }
      const found = serviceWarnings({ spec }, namesAt(version))
      assert.is(found.length, expected.length)
      for (const [i, text] of expected.entries()) assert.match(found[i] ?? '', text)
    })
warnings('did not exist before 1.27', () => {
  const spec = { type: 'LoadBalancer', loadBalancerSourceRanges: ['010.1.0.0/24'] }
  assert.equal(serviceWarnings({ spec }, namesAt('1.26')), [])
})
warnings.run()
