import { kubernetesProfile, profileAtVersion, Vendor } from 'orch/sdk'
import type { Endpoints } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateEndpoints, validateEndpointsUpdate } from './validation.js'
import { endpointsWarnings } from './warnings.js'

const vendorAt = (version: string) => new Vendor(profileAtVersion(kubernetesProfile, version)!)
const at = (...ips: string[]): Endpoints => ({ subsets: [{ addresses: ips.map(ip => ({ ip })) }] })
const field = (i: number) => `subsets[0].addresses[${i}].ip`

const validation = suite('validation of endpoints')
validation('accepts multicast addresses, except those of one link', () => {
  const sent = at('239.0.0.1', '225.0.0.5', '224.0.0.5', '::ffff:224.0.0.5')
  assert.equal(
    validateEndpoints(sent, false).map(error => error.field),
    [field(2), field(3)],
  )
})

const changes: Record<string, [version: string, sent: Endpoints, ...wrong: string[]]> = {
  'accepts invalid subsets that do not change': ['1.33', at('127.0.0.1')],
  'checks them in older versions': ['1.32', at('127.0.0.1'), field(0)],
  'checks all subsets if they change': ['1.33', at('127.0.0.1', '10.0.0.1'), field(0)],
}
for (const [title, [version, sent, ...wrong]] of Object.entries(changes))
  validation(`of a change ${title}`, () => {
    const { level } = vendorAt(version)
    const errors = validateEndpointsUpdate(sent, at('127.0.0.1'), { areStrict: false, level })
    assert.equal(
      errors.map(error => error.field),
      wrong,
    )
  })

const warnings = suite('warnings about endpoints')
const managed = (by: string): Endpoints => ({
  ...at('010.0.0.1'),
  metadata: { labels: { 'endpoints.kubernetes.io/managed-by': by } },
})
warnings('name addresses that are not canonical, since 1.33', () => {
  assert.equal(endpointsWarnings(at('010.0.0.1'), vendorAt('1.32')), [])
  assert.match(endpointsWarnings(at('010.0.0.1'), vendorAt('1.33'))[0] ?? '', field(0))
})
warnings('are not given to the controller of endpoints', () => {
  assert.equal(endpointsWarnings(managed('endpoint-controller'), vendorAt('1.33')), [])
  assert.is(endpointsWarnings(managed('somebody-else'), vendorAt('1.33')).length, 1)
})

validation.run()
warnings.run()
