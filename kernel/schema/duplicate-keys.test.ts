import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { duplicateKeys } from './duplicate-keys.js'

const duplicates = suite('duplicate keys')

const cases: Record<string, { text: string; found: string[] }> = {
  'finds a key given twice': { text: '{"a":1,"a":2}', found: ['a'] },
  'names a key once however often it comes': { text: '{"a":1,"a":2,"a":3}', found: ['a'] },
  'gives the path': { text: '{"data":{"k":"1", "k" : "2"}}', found: ['data.k'] },
  'counts list items': { text: '{"l":[{"n":1},{"n":1,"n":[1,2]}]}', found: ['l[1].n'] },
  'ignores equal keys of different objects': { text: '{"a":{"a":1},"b":{"a":1}}', found: [] },
  'is not misled by text that looks like keys': { text: '{"a":"\\"a\\":1","b":"}{"}', found: [] },
  'decodes escapes': { text: '{"a":1,"\\u0061":2}', found: ['a'] },
  'accepts values that are not objects': { text: '"x"', found: [] },
}
for (const [title, { text, found }] of Object.entries(cases)) {
  duplicates(title, () => assert.equal(duplicateKeys(text, 100), found))
}
duplicates('finds nothing in what JSON.stringify writes', () => {
  fc.assert(fc.property(fc.jsonValue(), value => assert.equal(duplicateKeys(JSON.stringify(value, null, 1), 1), [])))
})
duplicates('finds at most as many as the limit, at any depth', () => {
  const deep = `${'{"a":1,"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  assert.equal(duplicateKeys(deep, 2), ['a', 'a.a'])
})

duplicates.run()
