import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writesOf } from './scaling-model.js'

const model = suite('the model of several servers on etcd')
const etcd = { get: 0.1, own: 1, others: 0.1, member: 0.3 }

model('one server does all writes', () => {
  assert.is(writesOf(etcd, 1), 1000)
})
model('of two servers each does half of the writes and replicates the other half', () => {
  assert.is(Math.round(writesOf(etcd, 2)), 1818)
})
model('many servers are limited by the cost of replication', () => {
  assert.ok(writesOf(etcd, 1000) < 10_000)
  assert.ok(writesOf(etcd, 1000) > 9800)
})
model.run()
