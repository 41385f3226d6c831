import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { changedSince } from './recordings.js'
import type { Scenario } from './scenario.js'

const recordings = suite('recordings of later versions')

recordings('responses that equal the previous version are omitted', () => {
  const scenario = (name: string, status: number) =>
    ({ name, area: 'a', file: `a/${name}.json`, steps: [{ expect: { status } }] }) as Scenario
  const before = [scenario('same', 200), scenario('changed', 200), scenario('gone', 200)]
  const now = [scenario('same', 200), scenario('changed', 422), scenario('new', 200)]
  assert.equal(
    changedSince(before, now).map(({ name }) => name),
    ['changed', 'new'],
  )
})

recordings.run()
