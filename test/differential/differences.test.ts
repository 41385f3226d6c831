import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Observation } from '../golden/observation.js'
import type { Scenario } from '../golden/scenario.js'
import { AnswerComparison } from './differences.js'
import { Expectations } from './expectation.js'

const scenario: Scenario = {
  name: 'n',
  area: 'a',
  file: 'a/n.json',
  steps: [
    { method: 'POST', path: '/x', body: { spec: { at: '2024-01-01T00:00:00Z' }, metadata: { name: '{{run}}-a' } } },
  ],
}
const answered = (body: unknown): Observation => ({
  seen: { status: 201, contentType: 'application/json', body },
  body,
})
const object = (run: string, changes: object = {}) => ({
  kind: 'K',
  metadata: {
    name: `${run}-a`,
    uid: '3f1b0b1c-0000-4000-8000-000000000001',
    resourceVersion: '12',
    creationTimestamp: '2026-03-04T05:06:07Z',
  },
  spec: { at: '2024-01-01T00:00:00Z', list: [1, 2] },
  ...changes,
})

/** The differences between the response of a target and that of the reference. */
function compare(reference: unknown, target: unknown) {
  const expectation = new Expectations(scenario, { run: 'zrun' }).of(answered(reference))
  const { body } = expectation
  return new AnswerComparison({ run: 'zrun' }).differences(body, target, '$')
}

const comparing = suite('comparing answers')

comparing('values that each server chooses are not compared', () => {
  const target = object('zrun')
  Object.assign(target.metadata, {
    uid: 'ffffffff-0000-4000-8000-000000000002',
    resourceVersion: '999',
    creationTimestamp: '2027-01-01T00:00:00Z',
  })
  assert.equal(compare(object('zrun'), target), [])
})

comparing('values from the client are compared, also times', () => {
  const target = object('zrun', { spec: { at: '2025-01-01T00:00:00Z', list: [1, 2] } })
  assert.equal(compare(object('zrun'), target), [
    { at: '$.spec.at', kind: 'value', expected: '2024-01-01T00:00:00Z', actual: '2025-01-01T00:00:00Z' },
  ])
})

comparing('all differences of an answer are found', () => {
  const { kind: _, ...target } = object('zrun', { spec: { at: '2024-01-01T00:00:00Z', list: [1] }, extra: true })
  assert.equal(
    compare(object('zrun'), target).map(({ at, kind }) => `${kind} ${at}`),
    ['missing $.kind', 'length $.spec.list', 'unexpected $.extra'],
  )
})

comparing('an unchanged version is a difference if that of the reference changes', () => {
  const expectations = new Expectations(scenario, { run: 'zrun' })
  const comparison = new AnswerComparison({ run: 'zrun' })
  const version = (resourceVersion: string) => ({ metadata: { resourceVersion } })
  const first = expectations.of(answered(version('1'))).body
  const second = expectations.of(answered(version('2'))).body
  assert.equal(comparison.differences(first, version('7'), '$'), [])
  assert.is(comparison.differences(second, version('7'), '$').length, 1)
})
comparing.run()
