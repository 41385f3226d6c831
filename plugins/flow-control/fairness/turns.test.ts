import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Level } from './level.js'
import { Turns } from './turns.js'

const turns = suite('turns of priority levels')

function levelWith(name: string, shares: number): Level {
  const level = new Level(name)
  level.shares = shares
  level.queues.seatLimit = 1
  level.queues.queueLengthLimit = 100
  return level
}

turns('go by shares, also after a level without shares had one', async () => {
  const scheduler = new Turns(60_000, () => {})
  const started: string[] = []
  const enqueue = (level: Level) =>
    new Promise<void>(resolve => {
      level.queues.wait([0], {
        seats: 1,
        arrivedAt: performance.now(),
        begin(seats) {
          started.push(level.name)
          seats.release()
          resolve()
          return true
        },
        giveUp: () => assert.unreachable('it waited too long'),
      })
      scheduler.addWaiting(level)
    })
  const none = levelWith('none', 0)
  await Promise.all([enqueue(none), enqueue(none), enqueue(none)])
  started.length = 0

  const [small, large] = [levelWith('small', 1), levelWith('large', 3)]
  await Promise.all(Array.from({ length: 8 }, () => [enqueue(small), enqueue(large)]).flat())
  assert.is(started.slice(0, 8).filter(name => name === 'large').length, 6, started.join())
  scheduler.close()
})
turns.run()
