import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { load, YAML11_SCHEMA } from 'js-yaml'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { readYaml, YamlError } from './read-yaml.js'
import { writeYaml } from './write-yaml.js'

const reading = suite('YAML')
const read = (text: string): unknown => readYaml(text).documents[0]

const texts: Record<string, readonly [text: string, value: unknown]> = {
  'file modes are octal, old and new': ['[0644, 0o644, 0O17, -010]', [420, 420, 15, -8]],
  'other numbers as Go reads them': ['[0x1F, 0b101, 1_000, 08, .5, 1., 1e3, +7]', [31, 5, 1000, 8, 0.5, 1, 1000, 7]],
  'times, versions and what only looks like a number are text': [
    '[12:30, 1:30:45, 2020-01-01, 2020-01-01T00:00:00Z, 1.2.3, e5, ., 0o9, 0x]',
    ['12:30', '1:30:45', '2020-01-01', '2020-01-01T00:00:00Z', '1.2.3', 'e5', '.', '0o9', '0x'],
  ],
  'yes and no, as keys too': [
    'yes: [y, On, TRUE]\nno: [n, off, False]',
    { true: [true, true, true], false: [false, false, false] },
  ],
  'nothing is null': ['[~, null, NULL, ]', [null, null, null]],
  'quoted is text': ['["0644", \'yes\', "~"]', ['0644', 'yes', '~']],
  'mappings merge': ['a: &a {x: 1, z: 2}\nb: {<<: *a, z: 3}', { a: { x: 1, z: 2 }, b: { x: 1, z: 3 } }],
  'standard tags set the type of a value': [
    '[!!str 12, !!int "12", !!binary aGVsbG8=, !!float 3]',
    ['12', 12, 'aGVsbG8=', 3],
  ],
  'unknown tags are ignored': ['[!mine x, !mine [1], !mine {a: 1}, !!set {a}]', ['x', [1], { a: 1 }, { a: null }]],
  'a key named like the prototype is a key': ['__proto__: 1', JSON.parse('{"__proto__":1}')],
  'JSON is YAML': ['{"a":[1,"x",null],"b":{"c":"\\u00e9\\n"}}', { a: [1, 'x', null], b: { c: 'é\n' } }],
}
for (const [title, [text, value]] of Object.entries(texts)) reading(title, () => assert.equal(read(text), value))

const refused: Record<string, readonly [text: string, why: RegExp]> = {
  'an alias inside its own anchor': ['a: &a {b: *a}', /alias without an anchor/],
  'an alias without an anchor': ['a: *secret', /alias without an anchor before it at line 1, column 5/],
  'a list as a key': ['? [a]\n: b', /a key must be a scalar/],
  'a tag that does not fit': ['a: !!int secret', /cannot resolve a node with at line 1/],
  'a tab in front': ['a:\n\tb: c', /tab characters must not be used in indentation at line 2, column 1/],
  infinity: ['a: [-.inf]', /a number that JSON cannot represent/],
  'numbers that cannot be represented': ['a: 1e-999999999', /out of range/],
  'many lists in lists': ['['.repeat(300), /nests deeper than 250 levels/],
  'many mappings in mappings': ['{a: '.repeat(300), /nests deeper than 250 levels/],
  'many dashes': [`${'- '.repeat(300)}x`, /nests deeper than 250 levels/],
}
for (const [title, [text, why]] of Object.entries(refused))
  reading(`refuses ${title}`, () => {
    assert.throws(
      () => read(text),
      (error: unknown) => error instanceof YamlError && why.test(error.message),
    )
  })

reading('reports duplicate keys with their place; the last one counts', () => {
  const { documents, repeatedKeys } = readYaml('a: 1\nb: {c: 1,\n  "c": 2}\na: [{d: 1, d: 2}]\n<<: {}\n<<: {}', {
    maxRepeatedKeys: 2,
  })
  assert.equal(documents, [{ a: [{ d: 2 }], b: { c: 2 } }])
  assert.equal(repeatedKeys, [
    { key: 'c', line: 3 },
    { key: 'a', line: 4 },
  ])
})

reading('counts expanded aliases, however deep, before building anything', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level <= 30; level++) lines.push(`a${level}: &a${level} [${Array(9).fill(`*a${level - 1}`)}]`)
  assert.throws(() => read(lines.join('\n')), /more than 1000000 values/)
  const long = `a: &a "${'x'.repeat(10_000)}"\nb: [${Array(1000).fill('*a')}]`
  assert.throws(() => readYaml(long, { maxCharacters: 1_000_000 }), /more than 1000000 characters/)
  const [{ b }] = readYaml(`a: &a {x: [1, 2]}\nb: [${Array(1000).fill('*a')}]`).documents as [{ b: unknown[] }]
  assert.is(b.length, 1000)
})

reading('counts values, not separators in strings', () => {
  const script = Array(5000).fill('    if [ $a, $b ]; then {}; fi').join('\n')
  assert.equal(Object.keys(readYaml(`data:\n  script: |\n${script}`, { maxNodes: 8000 }).documents[0] as object), [
    'data',
  ])
  assert.throws(() => readYaml(`[${'a,'.repeat(20)}]`, { maxNodes: 10 }), /more than 10 values/)
  assert.throws(() => readYaml('- a\n'.repeat(20), { maxNodes: 10 }), /more than 10 values/)
})

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const json = fc.jsonValue({ maxDepth: 4 }).map(plain)
const tricky = fc.constantFrom(
  ...'y n no on ~ null 0644 0o17 08 1_0 12:30 .5 1e3 .inf << = 2020-01-01 - ? : # & * ! | > %'.split(' '),
)
const text = fc.oneof(
  tricky,
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.lorem().map(words => words.replaceAll(' ', '\n')),
)

reading('written YAML is read back unchanged, by this and other readers, of either version', () => {
  const value = fc.oneof(json, fc.dictionary(text, fc.oneof(text, fc.array(text))).map(plain))
  fc.assert(
    fc.property(value, each => {
      const written = writeYaml(each)
      deepStrictEqual(read(written), each)
      deepStrictEqual(load(written, { schema: YAML11_SCHEMA }), each)
      deepStrictEqual(parse(written, { version: '1.2' }), each)
    }),
    { numRuns: 500 },
  )
})

reading('keys are sorted, without folding or aliases', () => {
  const shared = { z: 1, a: 'x '.repeat(100).trim() }
  assert.is(
    writeYaml({ kind: 'X', b: [shared], a: shared }),
    `a:\n  a: ${shared.a}\n  z: 1\nb:\n- a: ${shared.a}\n  z: 1\nkind: X\n`,
  )
})

reading.run()
