import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FailedPodBackoff } from './failed-pod-backoff.js'

const backoff = suite('failed daemons')

backoff('are replaced with exponential backoff per node', () => {
  const failures = new FailedPodBackoff()
  assert.is(failures.next('a', 0), 0)
  assert.is(failures.next('a', 400), 600)
  assert.is(failures.next('b', 400), 0)
  assert.is(failures.next('a', 1000), 0)
  assert.is(failures.next('a', 1500), 1500)
  assert.is(failures.next('a', 3000), 0)
  assert.is(failures.next('a', 3000 + 2 * 15 * 60_000 + 1), 0)
  assert.is(failures.next('a', 3000 + 2 * 15 * 60_000 + 501), 500)
})

backoff.run()
