import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CommitPace } from './commit-pace.js'

const paces = suite('where a commit waits for the disk')

paces('here while the disk is fast, also after one slow commit among fast ones', () => {
  const pace = new CommitPace()
  for (let now = 0; now < 100; now++) {
    assert.ok(pace.shouldWaitHere(now))
    pace.waited(now === 50 ? 3 : 0.2)
  }
})

paces('elsewhere when the disk is slow, but for one commit a second that finds out when it is fast again', () => {
  const pace = new CommitPace()
  pace.waited(20)
  assert.ok(pace.shouldWaitHere(5000))
  pace.waited(20)
  assert.not(pace.shouldWaitHere(5001))
  assert.not(pace.shouldWaitHere(5999))
  assert.ok(pace.shouldWaitHere(6000))
  pace.waited(0.1)
  assert.ok(pace.shouldWaitHere(6001))
})

paces.run()
