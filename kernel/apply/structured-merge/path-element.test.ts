import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  canonicalElement,
  compareElements,
  describePath,
  keyElement,
  sortElements,
  valueElement,
} from './path-element.js'

const elements = suite('path elements')

const inOrder = [
  'f:a',
  'f:aa',
  'f:b',
  'f:\uFF5E',
  'f:\u{1F600}',
  'k:{"port":80,"protocol":"TCP"}',
  'k:{"port":80,"protocol":"UDP"}',
  'k:{"port":443,"protocol":"TCP"}',
  'v:2',
  'v:10',
  'v:"a"',
  'v:true',
  'i:2',
  'i:10',
]
elements('are sorted by kind (fields, keys, values, indexes), then by their values', () => {
  const shuffled = [...inOrder].reverse().sort(compareElements)
  assert.equal(shuffled, inOrder)
})

elements('are in the same order when there are very many, and are sorted quickly', () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => `k:{"name":"c${at}"}`)
  const texts = Array.from({ length: 20_000 }, (_, at) => `f:${at}${at % 1000 === 0 ? '\u{1F600}' : ''}`)
  const all = [...texts, ...inOrder, ...keys, '.'].reverse()
  const cpu = process.cpuUsage()
  const sorted = sortElements([...all])
  assert.ok(process.cpuUsage(cpu).user < 1_000_000, 'took more than a second')
  assert.is(sorted[0], '.')
  assert.equal(sorted, all.sort(compareElements))
  assert.equal(sortElements([...inOrder].reverse()), inOrder)
})

elements('escape the same characters as Go, since they are compared as text', () => {
  assert.is(valueElement('a<b>&c'), 'v:"a\\u003cb\\u003e\\u0026c"')
  assert.is(keyElement(['name'], ['"']), 'k:{"name":"\\""}')
})

const canonical: Record<string, [string, string | undefined]> = {
  'keys are sorted and compacted': ['k:{ "b": 1, "a": "x" }', 'k:{"a":"x","b":1}'],
  'values are compacted': ['v: "x" ', 'v:"x"'],
  'fields are unchanged': ['f:a b', 'f:a b'],
  'unknown kinds are ignored': ['x:1', undefined],
}
for (const [title, [sent, expected]] of Object.entries(canonical)) {
  elements(`read: ${title}`, () => assert.is(canonicalElement(sent), expected))
}
for (const nonsense of ['k:[]', 'k:{', 'v:', 'i:x', 'f']) {
  elements(`refuse ${nonsense}`, () => assert.throws(() => canonicalElement(nonsense), /./))
}

elements('are named in conflicts as Kubernetes names them', () => {
  const path = ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name']
  assert.is(describePath(path), '.spec.ports[port=80,protocol="TCP"].name')
  assert.is(describePath(['f:metadata', 'f:finalizers', 'v:"a/b"']), '.metadata.finalizers[="a/b"]')
  assert.is(describePath(['f:list', 'i:3']), '.list[3]')
})

elements.run()
