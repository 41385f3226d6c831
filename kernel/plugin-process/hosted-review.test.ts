import type { AdmissionDefinition, AdmissionRequest } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HostedReviews } from './hosted-review.js'

const reviews = suite('reviews in a plugin process')

const noLink = () => {
  throw new Error('these reviews ask the server nothing')
}
function aControl(review: (request: AdmissionRequest) => undefined) {
  const seen: AdmissionRequest[] = []
  const control: AdmissionDefinition = {
    name: 'Control',
    phase: 'mutate',
    sideEffects: 'none',
    review(request) {
      seen.push(request)
      return review(request)
    },
  }
  return { control, seen }
}
const order = (data: object) => ({ phase: 'mutate', review: 1, request: { operation: 'CREATE', object: { data } } })

reviews('the second round of a request gets the same one, with its object; in between no object is kept', async () => {
  const { control, seen } = aControl(({ object }) => void Object.assign(object ?? {}, { data: { b: '2' } }))
  const hosted = new HostedReviews(noLink)
  const first = await hosted.run(control, order({ a: '1' }), {})
  assert.equal(first.set, { data: { b: '2' } })
  assert.is(seen[0]?.object, undefined)
  const again = await hosted.run(control, order({ b: '2' }), {})
  assert.equal(again, {})
  assert.is(seen[0], seen[1])
})

reviews('a control that throws is an answer, and keeps no object either', async () => {
  const { control, seen } = aControl(() => {
    throw new Error('not today')
  })
  const { failure } = await new HostedReviews(noLink).run(control, order({}), {})
  assert.is(failure?.message, 'not today')
  assert.is(seen[0]?.object, undefined)
})

reviews.run()
