import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sameJson } from './same-json.js'

const equality = suite('the equality of JSON values')

equality('ignores the order of keys, but not that of items', () => {
  assert.ok(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }))
  assert.not(sameJson({ b: [1, 2] }, { b: [2, 1] }))
  assert.not(sameJson([1], [1, 2]))
})

equality('treats an undefined value as a missing key, and null as a value', () => {
  assert.ok(sameJson({ a: 1, b: undefined }, { a: 1, c: undefined }))
  assert.not(sameJson({ a: null }, {}))
  assert.not(sameJson({}, { a: null }))
})

equality('distinguishes objects, lists and scalars', () => {
  assert.not(sameJson({}, []))
  assert.not(sameJson([], {}))
  assert.not(sameJson({ 0: 'a' }, ['a']))
  assert.not(sameJson('1', 1))
  assert.not(sameJson(null, {}))
})

equality('distinguishes an inherited value from a key of the same name', () => {
  assert.not(sameJson({ constructor: Object }, { other: 1 }))
  assert.not(sameJson(JSON.parse('{"__proto__":{}}'), { a: {} }))
})

equality('excludes keys of the outermost object only', () => {
  const except = new Set(['version'])
  assert.ok(sameJson({ a: 1, version: 1 }, { a: 1 }, except))
  assert.ok(sameJson({ a: 1 }, { a: 1, version: 1 }, except))
  assert.not(sameJson({ a: { version: 1 } }, { a: {} }, except))
})

equality('compares values of any depth', () => {
  const deep = (end: number) => JSON.parse(`${'{"a":['.repeat(4500)}${end}${']}'.repeat(4500)}`)
  assert.ok(sameJson(deep(1), deep(1)))
  assert.not(sameJson(deep(1), deep(2)))
})

equality.run()
