import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { columns, fillPolicy, mainStrategy } from './resource.js'
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from './schema.js'
import { rangesOf, validatePolicy } from './validation.js'

const policies = suite('network policies')
const aPolicy = (spec: Partial<NetworkPolicySpec>): NetworkPolicy => ({ spec: { podSelector: {}, ...spec } })
const toPort = (port: NetworkPolicyPort) => aPolicy({ egress: [{ ports: [port] }] })
const fromPeer = (peer: NetworkPolicyPeer) => aPolicy({ ingress: [{ from: [peer] }] })
const block = (cidr: string, ...except: string[]) => fromPeer({ ipBlock: { cidr, except } })
const port = 'spec.egress[0].ports[0]'
const peer = 'spec.ingress[0].from[0]'

const cases: Record<string, { given: NetworkPolicy; wrong: string[] }> = {
  'accepts a range of ports': { given: toPort({ port: 80, endPort: 90, protocol: 'SCTP' }), wrong: [] },
  'rejects an unknown protocol': {
    given: toPort({ protocol: 'ICMP' }),
    wrong: [`FieldValueNotSupported ${port}.protocol`],
  },
  'checks names and numbers of ports': {
    given: aPolicy({ egress: [{ ports: [{ port: 0 }, { port: 'Not A Name' }] }] }),
    wrong: ['FieldValueInvalid spec.egress[0].ports[0].port', 'FieldValueInvalid spec.egress[0].ports[1].port'],
  },
  'refuses an end before the start': {
    given: toPort({ port: 90, endPort: 80 }),
    wrong: [`FieldValueInvalid ${port}.endPort`],
  },
  'refuses an end without a start, or after a name': {
    given: aPolicy({ egress: [{ ports: [{ endPort: 80 }, { port: 'web', endPort: 80 }] }] }),
    wrong: ['FieldValueInvalid spec.egress[0].ports[0].endPort', 'FieldValueInvalid spec.egress[0].ports[1].endPort'],
  },
  'accepts Pods of other namespaces': { given: fromPeer({ podSelector: {}, namespaceSelector: {} }), wrong: [] },
  'refuses an empty peer': { given: fromPeer({}), wrong: [`FieldValueRequired ${peer}`] },
  'rejects a peer of two kinds': {
    given: fromPeer({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
    wrong: [`FieldValueForbidden ${peer}`],
  },
  'checks selectors': {
    given: fromPeer({ podSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }),
    wrong: [`FieldValueInvalid ${peer}.podSelector.matchExpressions[0].operator`],
  },
  'accepts exceptions': { given: block('10.0.0.0/8', '10.1.0.0/16', '10.2.3.4/32'), wrong: [] },
  'accepts IPv6 ranges': { given: block('2001:db8::/32', '2001:db8:1::/48'), wrong: [] },
  'reads leading zeros as decimal': { given: block('10.0.0.0/8', '10.010.0.0/16'), wrong: [] },
  'asks for a range': { given: block(''), wrong: [`FieldValueRequired ${peer}.ipBlock.cidr`] },
  'rejects an invalid range': { given: block('10.0.0.0'), wrong: [`FieldValueInvalid ${peer}.ipBlock.cidr`] },
  'rejects an exception that is the whole range, or outside of it': {
    given: block('10.0.0.0/8', '10.0.0.0/8', '11.0.0.0/16', '2001:db8::/64'),
    wrong: [0, 1, 2].map(i => `FieldValueInvalid ${peer}.ipBlock.except[${i}]`),
  },
  'goes on after a malformed range': {
    given: block('10.0.0.0/8', 'x', '11.0.0.0/16'),
    wrong: [0, 1].map(i => `FieldValueInvalid ${peer}.ipBlock.except[${i}]`),
  },
  'rejects unknown types': {
    given: aPolicy({ policyTypes: ['Ingress', 'Sideways'] }),
    wrong: ['FieldValueNotSupported spec.policyTypes[1]'],
  },
  'counts the types first': {
    given: aPolicy({ policyTypes: ['Ingress', 'Egress', 'Sideways'] }),
    wrong: ['FieldValueInvalid spec.policyTypes'],
  },
}
for (const [title, { given, wrong }] of Object.entries(cases))
  policies(title, () => {
    assert.equal(
      validatePolicy(given).map(({ type, field }) => `${type} ${field}`),
      wrong,
    )
  })

policies('the types of a policy default to Ingress, and Egress if it has egress rules', () => {
  const typesOf = (policy: NetworkPolicy) => {
    fillPolicy(policy)
    return policy.spec?.policyTypes
  }
  assert.equal(typesOf(aPolicy({})), ['Ingress'])
  assert.equal(typesOf(aPolicy({ egress: [{}] })), ['Ingress', 'Egress'])
  assert.equal(typesOf(aPolicy({ egress: [{}], policyTypes: ['Egress'] })), ['Egress'])
})

policies('a selector is shown in the common notation', () => {
  const cell = (spec: Partial<NetworkPolicySpec>) => columns[1]?.cell(aPolicy(spec), 0)
  assert.is(cell({}), '<none>')
  assert.is(
    cell({ podSelector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'Exists' }] } }),
    'a=b,c',
  )
  const [one, other] = [
    { key: 'c', operator: 'In', values: ['b'] },
    { key: 'a', operator: 'NotIn', values: ['z', 'y'] },
  ]
  assert.is(cell({ podSelector: { matchExpressions: [one, other] } }), 'a notin (y,z),c in (b)')
  assert.is(cell({ podSelector: { matchExpressions: [{ key: 'c', operator: 'Like' }] } }), '<error>')
})

policies('before 1.30, ranges after a malformed one are not checked', () => {
  const given = block('10.0.0.0/8', 'x', '11.0.0.0/16')
  assert.equal(
    validatePolicy(given, { checksAllExceptions: false }).map(({ field }) => field),
    [`${peer}.ipBlock.except[0]`],
  )
})

policies('ranges must be canonical with the gate, but those of the stored policy may stay', () => {
  const given = block('010.0.0.0/8', '10.1.2.3/16')
  const fieldsWith = (known?: ReadonlySet<string>) =>
    validatePolicy(given, { areStrict: true, ...(known && { known }) }).map(({ field }) => field)
  assert.equal(fieldsWith(), [`${peer}.ipBlock.cidr`, `${peer}.ipBlock.except[0]`])
  assert.equal(fieldsWith(rangesOf(given)), [])
  assert.equal(validatePolicy(given), [])
})

policies('a stored status with conditions stays on the main path, any other is replaced', () => {
  const condition = (type: string) => ({ type, status: 'True', reason: 'R', message: '', lastTransitionTime: '' })
  const withStatus = (...types: string[]): NetworkPolicy => ({
    ...aPolicy({}),
    status: { conditions: types.map(condition) },
  })
  const after = (draft: NetworkPolicy, stored: NetworkPolicy) => {
    mainStrategy(false).prepareForUpdate(draft, stored)
    return draft.status
  }
  assert.equal(after(withStatus('Sent'), withStatus('Stored')), withStatus('Stored').status)
  assert.equal(after(aPolicy({}), withStatus('Stored')), withStatus('Stored').status)
  assert.equal(after(withStatus('Sent'), withStatus()), withStatus('Sent').status)
})

policies.run()
