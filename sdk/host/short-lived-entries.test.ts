import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ShortLivedEntries } from './short-lived-entries.js'

test('an entry that was replaced is not removed by whoever put the first one', () => {
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

test('entries with numbers of their own are listed as they are, whatever is removed meanwhile', () => {
  const entries = new ShortLivedEntries<{ readonly at: number }>()
  const numbers = [1, 2, 3].map(at => entries.add({ at }))
  assert.is(new Set(numbers).size, 3)
  for (const { at } of entries.values()) entries.delete(numbers[at - 1]!)
  assert.equal(entries.values(), [])
  entries.add({ at: 4 })
  entries.clear()
  assert.is(entries.size, 0)
})

test.run()
