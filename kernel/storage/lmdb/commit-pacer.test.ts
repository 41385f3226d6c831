import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CommitPacer } from './commit-pacer.js'

const pace = suite('pacing of group commits')

/** Writers that each take 1 ms to prepare, all in one group; the last group was committed. */
function inOneGroup(writers: number, commitMs: number) {
  let now = 0
  const groups = new CommitPacer(() => now)
  const queue = (from: number, to: number) => {
    for (let count = from; count <= to; count++) {
      groups.queued(count)
      now++
    }
  }
  for (let group = 0; group < 2; group++) {
    queue(1, writers)
    groups.asked()
    groups.taken(writers)
    now += commitMs
    groups.ended()
  }
  return { groups, queue }
}

pace('lets half of the writers go first when a transaction is about to begin', async () => {
  const { groups, queue } = inOneGroup(16, 4)
  groups.asked()
  queue(1, 7)
  assert.is(groups.turn(7), undefined)
  queue(8, 8)
  const turn = groups.turn(8)
  assert.ok(turn)
  groups.taken(8)
  await turn
  assert.is(groups.turn(8), undefined, 'nobody waits while the disk is busy')
})

pace('counts all writers when they come in two groups', () => {
  const { groups, queue } = inOneGroup(32, 4)
  for (let group = 0; group < 4; group++) {
    groups.asked()
    groups.taken(16)
    queue(1, 16)
    groups.ended()
  }
  groups.asked()
  assert.is(groups.turn(15), undefined)
  assert.ok(groups.turn(16))
})

pace('does not split a small group, or any group on a slow disk', () => {
  const few = inOneGroup(7, 1)
  few.groups.asked()
  assert.is(few.groups.turn(7), undefined)
  const slow = inOneGroup(16, 20)
  slow.groups.asked()
  assert.is(slow.groups.turn(8), undefined)
})

pace('releases all writers when a transaction could not begin', async () => {
  const { groups } = inOneGroup(16, 4)
  groups.asked()
  const turn = groups.turn(8)
  assert.ok(turn)
  groups.ended()
  await turn
  assert.is(groups.turn(8), undefined)
})

pace.run()
