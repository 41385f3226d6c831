import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError, forbidden, notFound } from '../resource/api-errors.js'
import { failureReason, loopMetrics } from './loop-metrics.js'

const it = suite('failure reasons in the metrics of a control loop')

for (const [what, error, expected] of [
  [
    'an API error is reported by its reason and type',
    notFound({ group: 'apps.test', resource: 'sets', name: 'x' }),
    'NotFound (sets.apps.test)',
  ],
  ['also in the core group', forbidden({ group: '', resource: 'pods' }, 'why'), 'Forbidden (pods)'],
  ['a reason that is a sentence is replaced by the code', new ApiError(422, 'a token: hush', 'hush'), '422'],
  ['an invalid type is omitted', new ApiError(404, 'NotFound', '', { kind: 'Hush hush' }), 'NotFound'],
  [
    'a system error is reported by its code',
    Object.assign(new Error('hush'), { code: 'ECONNREFUSED' }),
    'ECONNREFUSED',
  ],
  ['any other error is reported by its class', new TypeError('hush'), 'TypeError'],
  ['a thrown value that is not an error is counted as Error', 'hush', 'Error'],
  ['and so is undefined', undefined, 'Error'],
] as const)
  it(what, () => assert.is(failureReason(error), expected))

it('beyond sixteen reasons, the rest share one', () => {
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
