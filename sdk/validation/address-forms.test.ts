import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canonicalIp, isStrictCidr, isStrictIp, warningsAboutCidr, warningsAboutIp } from './address-forms.js'

const forms = suite('how addresses are written')

forms('strict addresses have no leading zeros and are of one family', () => {
  assert.equal(isStrictIp('10.0.0.1'), [])
  assert.equal(isStrictIp('FE80:0:0::1'), [])
  assert.equal(isStrictIp('010.0.0.1'), ['must not have leading 0s'])
  assert.equal(isStrictIp('::ffff:10.0.0.1'), ['must not be an IPv4-mapped IPv6 address'])
  assert.match(isStrictIp('x')[0] ?? '', /valid IP address/)
})

forms('strict ranges have no bits set beyond the prefix', () => {
  assert.equal(isStrictCidr('10.1.0.0/24'), [])
  assert.equal(isStrictCidr('10.1.0.0/024'), ['must not have leading 0s in IP or prefix length'])
  assert.equal(isStrictCidr('010.1.0.0/24'), ['must not have leading 0s in IP or prefix length'])
  assert.equal(isStrictCidr('::ffff:10.1.0.0/120'), ['must not have an IPv4-mapped IPv6 address'])
  assert.equal(isStrictCidr('10.1.0.7/24'), ['must not have bits set beyond the prefix length'])
  assert.equal(isStrictCidr('fd00::1/64'), ['must not have bits set beyond the prefix length'])
})

forms('warnings suggest the canonical form', () => {
  assert.equal(warningsAboutIp('ip', '10.0.0.1'), [])
  assert.equal(warningsAboutIp('ip', '010.0.0.1'), [
    'ip: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"',
  ])
  assert.equal(warningsAboutIp('ip', '::ffff:1.2.3.4'), [
    'ip: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"',
  ])
  assert.equal(warningsAboutIp('ip', 'FE80::1'), [
    'ip: IPv6 address "FE80::1" should be in RFC 5952 canonical format ("fe80::1")',
  ])
  assert.equal(warningsAboutCidr('r', '10.1.0.0/24'), [])
  assert.equal(warningsAboutCidr('r', '10.1.0.7/24'), [
    'r: CIDR value "10.1.0.7/24" is ambiguous in this context (should be "10.1.0.0/24" or "10.1.0.7/32"?)',
  ])
  assert.equal(warningsAboutCidr('r', '010.1.0.0/24'), [
    'r: non-standard CIDR value "010.1.0.0/24" is invalid: use "10.1.0.0/24"',
  ])
  assert.equal(warningsAboutCidr('r', 'FD00::/64'), [
    'r: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")',
  ])
  assert.match(warningsAboutCidr('r', '::ffff:10.1.0.0/120').join(), 'use "10.1.0.0/24"')
  // The range reaches beyond the addresses that are mapped.
  assert.match(warningsAboutCidr('r', '::ffff:10.1.0.0/64').join(), 'use "::/64"')
})

forms('addresses are compared in one form', () => {
  for (const [sent, plain] of [
    ['10.0.0.1', '10.0.0.1'],
    ['010.0.0.01', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:A00:1', '10.0.0.1'],
    ['FD00:0:0::01', 'fd00::1'],
    ['None', 'None'],
    ['999.1.1.1', '999.1.1.1'],
  ])
    assert.is(canonicalIp(sent ?? ''), plain)
})

forms.run()
