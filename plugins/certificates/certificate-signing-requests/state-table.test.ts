import type { FieldError, StrategyContext } from 'orch/sdk'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acme, acmeNames, isTrue, stored } from '../testing/acme.js'
import { anAuthority } from '../testing/made-authorities.js'
import { conditionsOf, isIssued } from './request-state.js'
import { approvalStrategy, mainStrategy, statusStrategy } from './resource.js'
import type { CertificateSigningRequest } from './schema.js'

/** Every state of the specification, by every mover: who may move what by which path. */
const machine = suite('states of a request')

const certificate = async (key: 'P-256' | 'P-384' = 'P-256') =>
  Buffer.from((await anAuthority({ key })).certificatePem).toString('base64')
const states: Readonly<Record<string, () => Promise<CertificateSigningRequest>>> = {
  pending: async () => stored(),
  approved: async () => stored({ conditions: [isTrue('Approved')] }),
  denied: async () => stored({ conditions: [isTrue('Denied')] }),
  failed: async () => stored({ conditions: [isTrue('Failed')] }),
  'approved failed': async () => stored({ conditions: [isTrue('Approved'), isTrue('Failed')] }),
  issued: async () => stored({ conditions: [isTrue('Approved')], certificate: await certificate() }),
}
function inState(state: string): Promise<CertificateSigningRequest> {
  const make = states[state]
  if (!make) throw new Error(`no state ${state}`)
  return make()
}
const stateOf = (request: CertificateSigningRequest) =>
  [
    ...conditionsOf(request).map(({ type, status }) => (status === 'True' ? type : `${type}=${status}`)),
    ...(isIssued(request) ? ['certificate'] : []),
  ].join(' ') || 'nothing'

type Change = (draft: CertificateSigningRequest) => void | Promise<void>
const add =
  (type: string, status = 'True'): Change =>
  draft => {
    draft.status = { ...draft.status, conditions: [...conditionsOf(draft), { type, status }] }
  }
const issue: Change = async draft => {
  draft.status = { ...draft.status, certificate: await certificate('P-384') }
}
const withdraw: Change = draft => {
  draft.status = {}
}
const changes: Readonly<Record<string, Change>> = {
  approve: add('Approved'),
  deny: add('Denied'),
  fail: add('Failed'),
  note: add('Custom', 'Unknown'),
  issue,
  withdraw,
}

const conditions = 'status.conditions Forbidden'
const twice = 'status.conditions[1].type Duplicate'
const opposite = 'status.conditions[1].type Invalid'
const forbiddenCertificate = 'status.certificate Forbidden'

/** For each path and state: what each change leads to, or the fields that are refused. */
const approvals: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pending: {
    approve: 'Approved',
    deny: 'Denied',
    fail: 'Failed',
    note: 'Custom=Unknown',
    issue: 'nothing',
    withdraw: 'nothing',
  },
  approved: {
    approve: twice,
    deny: opposite,
    fail: 'Approved Failed',
    note: 'Approved Custom=Unknown',
    issue: 'Approved',
    withdraw: conditions,
  },
  denied: {
    approve: opposite,
    deny: twice,
    fail: 'Denied Failed',
    note: 'Denied Custom=Unknown',
    issue: 'Denied',
    withdraw: conditions,
  },
  failed: {
    approve: 'Failed Approved',
    deny: 'Failed Denied',
    fail: twice,
    note: 'Failed Custom=Unknown',
    issue: 'Failed',
    withdraw: conditions,
  },
  'approved failed': {
    approve: 'status.conditions[2].type Duplicate',
    deny: 'status.conditions[2].type Invalid',
    fail: 'status.conditions[2].type Duplicate',
    note: 'Approved Failed Custom=Unknown',
    issue: 'Approved Failed',
    withdraw: `${conditions}, ${conditions}`,
  },
  issued: {
    approve: twice,
    deny: opposite,
    fail: forbiddenCertificate,
    note: 'Approved Custom=Unknown certificate',
    issue: 'Approved certificate',
    withdraw: conditions,
  },
}
const signings: typeof approvals = {
  pending: {
    approve: conditions,
    deny: conditions,
    fail: 'Failed',
    note: 'Custom=Unknown',
    issue: forbiddenCertificate,
    withdraw: 'nothing',
  },
  approved: {
    approve: `${twice}, ${conditions}`,
    deny: `${opposite}, ${conditions}`,
    fail: 'Approved Failed',
    note: 'Approved Custom=Unknown',
    issue: 'Approved certificate',
    withdraw: conditions,
  },
  denied: {
    approve: `${opposite}, ${conditions}`,
    deny: `${twice}, ${conditions}`,
    fail: 'Denied Failed',
    note: 'Denied Custom=Unknown',
    issue: forbiddenCertificate,
    withdraw: conditions,
  },
  failed: {
    approve: conditions,
    deny: conditions,
    fail: twice,
    note: 'Failed Custom=Unknown',
    issue: forbiddenCertificate,
    withdraw: conditions,
  },
  'approved failed': {
    approve: `status.conditions[2].type Duplicate, ${conditions}`,
    deny: `status.conditions[2].type Invalid, ${conditions}`,
    fail: 'status.conditions[2].type Duplicate',
    note: 'Approved Failed Custom=Unknown',
    issue: forbiddenCertificate,
    withdraw: `${conditions}, ${conditions}`,
  },
  issued: {
    approve: `${twice}, ${conditions}`,
    deny: `${opposite}, ${conditions}`,
    fail: forbiddenCertificate,
    note: 'Approved Custom=Unknown certificate',
    issue: forbiddenCertificate,
    withdraw: `${conditions}, ${forbiddenCertificate}`,
  },
}

const context: StrategyContext = {
  user: { name: 'jane', groups: [] },
  now: Date.parse('2024-01-01T00:00:00Z'),
  namespace: '',
  subresource: '',
  dryRun: false,
  vendor: acme,
  requestVersion: 'v1',
}
const described = ({ field, type }: FieldError) => `${field} ${type.slice('FieldValue'.length)}`

for (const [path, { strategy, table }] of Object.entries({
  approval: { strategy: approvalStrategy, table: approvals },
  status: { strategy: statusStrategy, table: signings },
}))
  for (const [state, outcomes] of Object.entries(table))
    for (const [change, outcome] of Object.entries(outcomes))
      machine(`${state}, through ${path}: ${change} → ${outcome}`, async () => {
        const before = await inState(state)
        const draft = structuredClone(before)
        await changes[change]?.(draft)
        stepsOf(strategy).prepareForUpdate(draft, before, context)
        const errors = stepsOf(strategy).validateUpdate(draft, before, context)
        assert.is(errors.length > 0 ? errors.map(described).join(', ') : stateOf(draft), outcome)
      })

for (const state of Object.keys(states))
  machine(`${state}, through the main path: nothing changes but metadata`, async () => {
    const before = await inState(state)
    for (const change of Object.values(changes)) {
      const draft = structuredClone(before)
      await change(draft)
      draft.spec.signerName = 'example.com/other'
      stepsOf(mainStrategy(acmeNames)).prepareForUpdate(draft, before)
      assert.equal(draft, before)
    }
  })

machine('a decision that is not true is refused on both paths', () => {
  for (const strategy of [approvalStrategy, statusStrategy])
    for (const type of ['Approved', 'Denied', 'Failed'])
      for (const status of ['False', 'Unknown', 'true']) {
        const before = stored({ conditions: [isTrue(type)] })
        const sent = stored({ conditions: [{ type, status }] })
        assert.equal(stepsOf(strategy).validateUpdate(sent, before).map(described), [
          'status.conditions[0].status NotSupported',
        ])
      }
})
machine('a condition needs a type and a status', () => {
  const sent = stored({ conditions: [{ type: '', status: '' }] })
  const expected = ['status.conditions[0].type Required', 'status.conditions[0].status Required']
  assert.equal(stepsOf(approvalStrategy).validateUpdate(sent, stored()).map(described), expected)
})
machine('a signer cannot rewrite an approval', () => {
  const before = stored({ conditions: [isTrue('Approved', { reason: 'Checked', message: 'by me' })] })
  const draft = stored({ conditions: [isTrue('Approved', { reason: 'Forged' }), isTrue('Failed')] })
  stepsOf(statusStrategy).prepareForUpdate(draft, before, context)
  assert.equal(conditionsOf(draft)[0]?.reason, 'Checked')
})
machine('the requester is set from authentication, and the status starts empty', () => {
  const user = { name: 'jane', uid: 'u1', groups: ['dev'], extra: { scope: ['a'] } }
  const draft = stored({ conditions: [isTrue('Approved')], certificate: 'AA==' }, { username: 'admin', uid: 'x' })
  draft.spec.groups = ['system:masters']
  draft.spec.extra = { forged: ['x'] }
  stepsOf(mainStrategy(acmeNames)).prepareForCreate(draft, { ...context, user })
  const { username, uid, groups, extra } = draft.spec
  assert.equal({ name: username, uid, groups, extra }, user)
  assert.equal(draft.status, {})
})
machine.run()
