import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ShortLivedEntries } from './short-lived-entries.js'

test('removing a replaced entry by its old value has no effect', () => {
  const entries = new ShortLivedEntries<{ readonly name: string }>()
  const [first, second] = [{ name: 'first' }, { name: 'second' }]
  entries.set('key', first)
  entries.set('key', second)
  entries.delete('key', first)
  assert.is(entries.get('key'), second)
  entries.delete('key', second)
  assert.is(entries.get('key'), undefined)
  assert.is(entries.size, 0)
})

test('numbered entries are listed as of the call, whatever is removed meanwhile', () => {
  const entries = new ShortLivedEntries<{ readonly at: number }>()
  const numbers = [1, 2, 3].map(at => entries.add({ at }))
  assert.is(new Set(numbers).size, 3)
  for (const { at } of entries.values()) entries.delete(numbers[at - 1]!)
  assert.equal(entries.values(), [])
  entries.add({ at: 4 })
  entries.clear()
  assert.is(entries.size, 0)
})

interface Entries {
  add(value: object): number
  delete(key: number): void
}
/** What V8 keeps at most among its old objects, in bytes, while many entries come and go in a table that has become old. */
function retainedBy(entries: Entries): number {
  setFlagsFromString('--expose-gc')
  const collect: (options: object) => void = runInNewContext('gc')
  const oldBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')!.space_used_size
  collect({ type: 'major' })
  const value = () => ({ parts: Array.from({ length: 500 }, (_, part) => ({ part })) })
  const inFlight = Array.from({ length: 10 }, () => entries.add(value()))
  for (let times = 0; times < 3; times++) collect({ type: 'minor' })
  const before = oldBytes()
  let most = 0
  for (let times = 0; times < 1000; times++) {
    inFlight.push(entries.add(value()))
    entries.delete(inFlight.shift()!)
    if (times % 50 !== 49) continue
    collect({ type: 'minor' })
    most = Math.max(most, oldBytes() - before)
  }
  return most
}

test('removed entries do not survive young-generation collections', () => {
  const map = new Map<number, object>()
  let last = 0
  const plain: Entries = {
    add(value) {
      map.set(++last, value)
      return last
    },
    delete: key => void map.delete(key),
  }
  const [ours, plainly] = [retainedBy(new ShortLivedEntries()), retainedBy(plain)]
  assert.ok(ours < 1_000_000, `${ours} bytes are kept`)
  // If this fails, V8 no longer has the problem: a Map is sufficient, and the boxes can be removed.
  assert.ok(plainly > 4_000_000, `a plain Map keeps ${plainly} bytes`)
})

test.run()
