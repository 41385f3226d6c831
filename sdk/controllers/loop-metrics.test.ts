import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError, forbidden, notFound } from '../resource/api-errors.js'
import { failureReason, loopMetrics } from './loop-metrics.js'

const it = suite('what a control loop tells of its failures')

for (const [what, error, expected] of [
  [
    'an API error is its reason and type',
    notFound({ group: 'apps.test', resource: 'sets', name: 'x' }),
    'NotFound (sets.apps.test)',
  ],
  ['of the core group, too', forbidden({ group: '', resource: 'pods' }, 'why'), 'Forbidden (pods)'],
  ['a reason that is a sentence is its code', new ApiError(422, 'a token: hush', 'hush'), '422'],
  ['a type that is none is left out', new ApiError(404, 'NotFound', '', { kind: 'Hush hush' }), 'NotFound'],
  ['a failure of the system is its code', Object.assign(new Error('hush'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['any other is its class', new TypeError('hush'), 'TypeError'],
  ['what is no error is one', 'hush', 'Error'],
  ['nor is nothing', undefined, 'Error'],
] as const)
  it(what, () => assert.is(failureReason(error), expected))

it('of more than sixteen reasons the rest is one', () => {
  const reasons = new Set<string>()
  const gauge = () => ({ set: (_: number, labels: Record<string, string> = {}) => reasons.add(labels['reason'] ?? '') })
  const metrics = { gauge, counter: () => ({ inc() {} }), histogram: () => ({ observe() {} }) } as never
  const loop = loopMetrics(metrics, 'loop')
  for (let at = 0; at < 40; at++) loop.failed(new ApiError(500, `Reason${at}`, ''), at)
  loop.failed(new ApiError(500, 'Reason3', ''), 40)
  assert.is(reasons.size, 17)
  assert.ok(reasons.has('Other') && reasons.has('Reason15') && !reasons.has('Reason16'))
})

it.run()
