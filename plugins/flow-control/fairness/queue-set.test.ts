import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { QueueSet, type TakenSeats } from './queue-set.js'
import { dealHand, maxHandBits } from './shuffle-sharding.js'

const sharding = suite('hands of queues')
sharding('have different queues, and the same ones for the same flow', () => {
  for (const flow of ['a', 'b', 'c/d']) {
    const hand = dealHand(flow, 64, 8)
    assert.is(new Set(hand).size, 8)
    assert.ok(hand.every(number => number >= 0 && number < 64))
    assert.equal(dealHand(flow, 64, 8), hand)
  }
})
sharding('may be all queues', () => assert.equal([...dealHand('x', 10, 10)].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
sharding('are spread evenly over the queues', () => {
  const uses = new Array(16).fill(0)
  for (let flow = 0; flow < 4000; flow++) for (const number of dealHand(`flow ${flow}`, 16, 4)) uses[number]++
  assert.ok(
    uses.every(count => count > 850 && count < 1150),
    uses.join(),
  )
})
sharding('are rarely shared: few of 1000 flows have the same hand as a given one', () => {
  const mine = new Set(dealHand('me', 128, 6))
  const others = Array.from({ length: 1000 }, (_, flow) => dealHand(`other ${flow}`, 128, 6))
  assert.is(others.filter(hand => hand.every(number => mine.has(number))).length, 0)
  assert.ok(6 * Math.log2(128) <= maxHandBits)
})
sharding.run()

const queuing = suite('queues of a priority level')
function level(seatLimit: number, queueLengthLimit = 1000) {
  const time = { now: 0 }
  const queues = new QueueSet(() => time.now)
  queues.seatLimit = seatLimit
  queues.queueLengthLimit = queueLengthLimit
  const begun: { flow: number; place: TakenSeats }[] = []
  const gaveUp: number[] = []
  const wait = (flow: number, isGone = false) =>
    queues.wait([flow], {
      seats: 1,
      arrivedAt: time.now,
      begin(place) {
        if (!isGone) begun.push({ flow, place })
        return !isGone
      },
      giveUp: () => gaveUp.push(flow),
    })
  return { time, queues, begun, gaveUp, wait }
}

queuing('serve a quiet flow at once, however many requests of a busy one wait', () => {
  const { queues, begun, wait } = level(1)
  for (let i = 0; i < 100; i++) wait(1)
  assert.ok(queues.next())
  wait(2)
  begun[0]?.place.release()
  assert.ok(queues.next())
  assert.equal(
    begun.map(({ flow }) => flow),
    [1, 2],
  )
})
queuing('share the seats by usage, not by the number of waiting requests', () => {
  const { time, queues, begun, wait } = level(1)
  for (let i = 0; i < 300; i++) wait(1)
  for (let i = 0; i < 100; i++) wait(2)
  const used = [0, 0, 0]
  // Requests of flow 2 take three times as long: it gets a third of the turns.
  for (let i = 0; i < 120; i++) {
    queues.next()
    const { flow, place } = begun.at(-1) as { flow: number; place: TakenSeats }
    const took = flow === 2 ? 30 : 10
    time.now += took
    used[flow] = (used[flow] ?? 0) + took
    place.release()
  }
  assert.ok(Math.abs((used[1] ?? 0) - (used[2] ?? 0)) <= 60, used.join())
})
queuing('limit the number of seats', () => {
  const { queues, begun, wait } = level(3)
  for (let i = 0; i < 10; i++) wait(i)
  while (queues.next()) assert.ok(queues.seatsTaken <= 3)
  assert.is(begun.length, 3)
  assert.not.ok(queues.hasSeats())
  begun[0]?.place.release()
  assert.ok(queues.next())
  assert.is(queues.waiting, 6)
})
queuing('are bounded each', () => {
  const { wait } = level(1, 2)
  assert.equal([wait(1), wait(1), wait(1), wait(2)], [true, true, false, true])
})
queuing('use the shortest of a hand', () => {
  const { queues, wait } = level(1, 1)
  wait(1)
  assert.ok(queues.wait([1, 2], { seats: 1, arrivedAt: 0, begin: () => true, giveUp() {} }))
})
queuing('skip requests whose client is gone', () => {
  const { queues, begun, wait } = level(1)
  wait(1, true)
  wait(1)
  assert.ok(queues.next())
  assert.is(begun.length, 1)
  assert.is(queues.executing, 1)
})
queuing('reject requests that waited too long, and are empty in the end', () => {
  const { time, queues, gaveUp, begun, wait } = level(1)
  wait(1)
  time.now = 100
  wait(2)
  queues.rejectOlderThan(50)
  assert.equal(gaveUp, [1])
  queues.next()
  begun[0]?.place.release()
  assert.ok(queues.isIdle)
  assert.equal([queues.seatsTaken, queues.seatsWaited, queues.waiting, queues.executing], [0, 0, 0, 0])
})
queuing.run()
