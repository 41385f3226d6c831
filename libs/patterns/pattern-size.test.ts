import { RE2JS } from 're2js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { patternSize } from './pattern-size.js'

const sizes = suite('the size of a pattern')

const patterns = [
  'a',
  '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$',
  '^(.*a){900}$',
  '(a|b|c|d|e|f|gh|ij){500}',
  '(?:a?){1000}',
  'a{1,1000}',
  '(abc){1,100}',
  '((a{10}){10}){10}',
  '\\pL{1000}',
  '[\\pL\\]}{]{1000}',
  '[]a]{30}',
  '[^]a]{30}',
  '[[:alpha:]]{30}',
  '\\x{10FFFF}{20}',
  'a{,5}b{x}',
  'a{3,}',
  '(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])?',
]
for (const pattern of patterns)
  sizes(`is close to the compiled size of ${pattern}`, () => {
    const actual = RE2JS.compile(pattern).programSize()
    const estimate = patternSize(pattern)
    assert.ok(estimate >= 0.7 * actual, `${estimate} instead of ${actual}`)
    assert.ok(estimate <= 4 * actual + 10, `${estimate} instead of ${actual}`)
  })

sizes('is computed without compiling the pattern', () => {
  const before = process.cpuUsage()
  assert.ok(patternSize(`(${'a'.repeat(100_000)}){1000}`) >= 100_000_000)
  assert.ok(patternSize(`${'('.repeat(10_000)}${'){1000}'.repeat(10_000)}`) >= 100_000_000)
  assert.ok(process.cpuUsage(before).user < 500_000)
})

for (const broken of ['(', ')', '[', '[a', 'a{', '\\', '\\p{', '(a{1000}', '{5}'])
  sizes(`is estimated for the invalid pattern ${broken}`, () => {
    assert.ok(patternSize(broken) > 0)
  })

sizes.run()
