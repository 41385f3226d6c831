import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { setOwn } from './own-property.js'
import { parseInTurns } from './parse-in-turns.js'

const inTurns = suite('JSON that is parsed in turns')

function parsed(text: string, pieceLength: number): { readonly value: unknown; readonly turns: number } {
  const work = parseInTurns(text, pieceLength)
  for (let turns = 1; ; turns++) {
    const { done, value } = work.next()
    if (done) return { value, turns }
  }
}
/** What JSON.parse says of a text: its value, written in the order of its keys, or that it is broken. */
const outcome = (parse: () => unknown): string => {
  try {
    return JSON.stringify(parse())
  } catch (thrown) {
    assert.instance(thrown, SyntaxError)
    return 'broken'
  }
}
const sameAsJsonParse = (text: string, pieceLength: number) =>
  assert.is(
    outcome(() => parsed(text, pieceLength).value),
    outcome(() => JSON.parse(text)),
    `${pieceLength}: ${text}`,
  )

/** The same numbers in every run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const keys = ['a', 'b', '__proto__', 'constructor', '7', '"', '\\\\', 'long enough', '']
function value(next: (below: number) => number, depth: number): unknown {
  switch (next(depth > 4 ? 5 : 8)) {
    case 0:
      return next(1000) - 500
    case 1:
      return keys[next(keys.length)]
    case 2:
      return [null, true, false][next(3)]
    case 3:
      return 'text, with: {brackets} [and] "quotes" \\\\'
    case 4:
      return next(2) === 0 ? [] : {}
    case 5:
      return Array.from({ length: next(6) }, () => value(next, depth + 1))
    default: {
      const object: Record<string, unknown> = {}
      for (let left = next(6); left > 0; left--) setOwn(object, keys[next(keys.length)] ?? '', value(next, depth + 1))
      return object
    }
  }
}

inTurns('any value is what JSON.parse makes of it, however small the pieces are', () => {
  const next = random(1)
  for (let round = 0; round < 3000; round++) {
    const made = value(next, 0)
    const text = next(2) === 0 ? JSON.stringify(made) : JSON.stringify(made, undefined, next(4))
    for (const pieceLength of [1, 2, 7, 30]) sameAsJsonParse(text, pieceLength)
  }
})

inTurns('a text that is not JSON is refused whenever JSON.parse refuses it', () => {
  const next = random(2)
  const marks = '{}[],:"\\ 1-'
  for (let round = 0; round < 6000; round++) {
    const text = JSON.stringify(value(next, 0))
    const at = next(text.length + 1)
    const mark = marks[next(marks.length)] ?? ''
    const broken = [
      text.slice(0, at) + text.slice(at + 1),
      text.slice(0, at) + mark + text.slice(at),
      text.slice(0, at),
    ]
    for (const pieceLength of [1, 5, 20]) sameAsJsonParse(broken[next(3)] ?? '', pieceLength)
  }
})

inTurns('only the white space of JSON is white space', () => {
  for (const space of [' ', '\t', '\n', '\r', '\u00a0', '\u2003', '\ufeff'])
    for (const text of [`[${space}]`, `[1,${space}[2,3]]`, `${space}[1,2]`, `[1,2]${space}`]) sameAsJsonParse(text, 2)
})

inTurns('a key that is repeated has its last value, wherever the pieces end', () => {
  const text = `{"a":1,"b":{"x":[${'1,'.repeat(50)}1]},"a":{"y":[${'2,'.repeat(50)}2]},"b":3}`
  for (const pieceLength of [1, 10, 60]) sameAsJsonParse(text, pieceLength)
})

inTurns('a long text takes as many turns as it has pieces, and a short one takes one', () => {
  const text = JSON.stringify({
    data: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key${at}`, 'v'])),
  })
  assert.is(parsed(text, text.length).turns, 1)
  const { value, turns } = parsed(text, 10_000)
  assert.equal(value, JSON.parse(text))
  assert.ok(turns > text.length / 10_000 / 2, `${turns} turns for ${text.length} characters`)
})

inTurns('values in 20,000 levels exhaust neither the stack nor the patience', () => {
  const text = `${'[{"a":'.repeat(10_000)}1${'}]'.repeat(10_000)}`
  let inner = parsed(text, 1000).value
  let levels = 0
  for (; typeof inner === 'object' && inner !== null; levels++) [inner] = Object.values(inner)
  assert.is(levels, 20_000)
})

inTurns.run()
