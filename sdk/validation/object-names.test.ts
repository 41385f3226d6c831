import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isValidCidr, isValidIp, isValidIpv4, isValidIpv6 } from './ip-addresses.js'
import * as names from './object-names.js'

const objectNames = suite('object names')

const long = (length: number) => 'a'.repeat(length)
const cases: Record<string, { rule: (value: string) => string[]; good: string[]; bad: string[] }> = {
  'DNS label': {
    rule: names.isDns1123Label,
    good: ['a', '1', 'a-b', long(63)],
    bad: ['', 'A', '-a', 'a-', 'a.b', 'a\n', long(64)],
  },
  'DNS subdomain': {
    rule: names.isDns1123Subdomain,
    good: ['a', 'a.b-c.1', long(253)],
    bad: ['', 'a..b', '.a', 'a.', 'ä', long(254)],
  },
  'wildcard subdomain': { rule: names.isWildcardDns1123Subdomain, good: ['*.a.b'], bad: ['a.b', '*', '*.'] },
  'DNS-1035 label': { rule: names.isDns1035Label, good: ['a', 'a-1'], bad: ['1a', '', long(64)] },
  'label value': { rule: names.isValidLabelValue, good: ['', 'A_b.c-d'], bad: ['-', 'a b', long(64)] },
  'qualified name': {
    rule: names.isQualifiedName,
    good: ['a', 'A.b_c', 'x.io/a'],
    bad: ['', '/a', 'a/', 'X/a', 'a/b/c', `a/${long(64)}`],
  },
  'data key': { rule: names.isConfigMapKey, good: ['a', '.a', 'A_1'], bad: ['', '.', '..', '..a', 'a/b', long(254)] },
  'environment variable': { rule: names.isEnvVarName, good: ['_A', 'a.b-c'], bad: ['', '1a', '..', 'a b'] },
  'C identifier': { rule: names.isCIdentifier, good: ['_a1'], bad: ['1', 'a-b', ''] },
  'port name': {
    rule: names.isValidPortName,
    good: ['http', 'a-1'],
    bad: ['', '1', 'a--b', '-a', 'a-', 'A', long(16)],
  },
  'header name': { rule: names.isHttpHeaderName, good: ['X-A'], bad: ['', 'a b'] },
  percent: { rule: names.isValidPercent, good: ['10%'], bad: ['10', '%', '-1%'] },
  'path segment': { rule: names.isPathSegmentName, good: ['a:b', '...'], bad: ['.', '..', 'a/b', 'a%b'] },
  'IP address': {
    rule: isValidIp,
    good: ['10.0.0.1', '010.0.0.1', '::1'],
    bad: ['', '256.0.0.1', '1.2.3', 'fe80::1%eth0'],
  },
  IPv4: { rule: isValidIpv4, good: ['1.2.3.4'], bad: ['::1'] },
  IPv6: { rule: isValidIpv6, good: ['::1'], bad: ['1.2.3.4'] },
  CIDR: {
    rule: isValidCidr,
    good: ['10.0.0.0/8', '::/0', '2001:db8::/128'],
    bad: ['10.0.0.0', '10.0.0.0/33', '::/129', '/8', '1.2.3.4/'],
  },
}
for (const [what, { rule, good, bad }] of Object.entries(cases))
  objectNames(`recognises a ${what}`, () => {
    for (const value of good) assert.equal(rule(value), [], value)
    for (const value of bad) assert.ok(rule(value).length > 0, value)
  })

objectNames('words broken rules as in Kubernetes', () => {
  assert.equal(names.isDns1123Label('A'), [
    `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ])
  assert.equal(names.isQualifiedName('/'), [
    'prefix part must be non-empty',
    'name part must be non-empty',
    `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ])
})
objectNames('a prefix for generated names may end in a dash, a whole name may not', () => {
  assert.equal(names.nameIsDnsSubdomain('web-', true), [])
  assert.is(names.nameIsDnsSubdomain('web-', false).length, 1)
  assert.is(names.nameIsDnsLabel('-', true).length, 1)
  assert.equal(names.nameIsPathSegment('..', true), [])
  assert.is(names.nameIsPathSegment('..', false).length, 1)
})
objectNames('text far beyond its limit is only reported as too long', () => {
  const far = '-.'.repeat(1_000_000)
  const cpu = process.cpuUsage()
  assert.equal(names.isDns1123Label(far), ['must be no more than 63 characters'])
  assert.equal(names.isDns1123Subdomain(far), ['must be no more than 253 characters'])
  assert.equal(names.isConfigMapKey(`${far}/`), ['must be no more than 253 characters'])
  assert.equal(names.isQualifiedName(`${far}/${far}`), [
    'prefix part must be no more than 253 characters',
    'name part must be no more than 63 characters',
  ])
  assert.equal(names.isValidPortName(far), ['must be no more than 15 characters'])
  assert.ok(process.cpuUsage(cpu).user < 100_000, 'it was read')
})
objectNames('numbers have ranges', () => {
  assert.equal(names.isValidPortNumber(0), ['must be between 1 and 65535, inclusive'])
  assert.equal(names.isValidPortNumber(65535), [])
})
objectNames.run()
