import type { Pod, Service } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { TriggerTimes } from './trigger-times.js'

const times = suite('trigger times of endpoints')
const at = (second: number) => `2020-01-01T00:00:0${second}Z`
const service = (second: number): Service => ({
  metadata: { namespace: 'town', name: 'web', creationTimestamp: at(second) },
})
const pod = (name: string, second: number): Pod => ({
  metadata: { name },
  spec: { containers: [] },
  status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(second) }] },
})

times('start with the creation of the Service', () => {
  const seen = new TriggerTimes()
  assert.is(seen.next(service(1), [pod('a', 5)]), at(1))
  assert.is(seen.next(service(1), [pod('a', 5)]), undefined)
})

times('are those of the earliest Pod that has changed since', () => {
  const seen = new TriggerTimes()
  seen.next(service(1), [pod('a', 2), pod('b', 2)])
  assert.is(seen.next(service(1), [pod('a', 6), pod('b', 2), pod('c', 5)]), at(5))
  assert.is(seen.next(service(1), [pod('a', 6)]), undefined)
})

times('start again with another Service of the same name', () => {
  const seen = new TriggerTimes()
  seen.next(service(1), [])
  assert.is(seen.next(service(4), []), at(4))
  seen.forget('town/web')
  assert.is(seen.next(service(4), []), at(4))
})

times.run()
