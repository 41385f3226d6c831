import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  ArrayList,
  CelError,
  type CostModel,
  compileCel,
  EntriesMap,
  FunctionTable,
  intType,
  listType,
  mapType,
  standardLibraries,
  stringType,
  structType,
  type Type,
  Work,
} from './index.js'

/** A host without functions of its own. */
const costs: CostModel = { estimate: () => undefined, costOf: () => undefined }
const functions = new FunctionTable(standardLibraries)
const self = structType(
  'self',
  new Map<string, Type>([
    ['a', intType],
    ['s', stringType],
    ['l', listType(stringType)],
    ['m', mapType(stringType, intType)],
  ]),
)
const sizes: Readonly<Record<string, number>> = {
  self: 0,
  'self.a': 0,
  'self.s': 400,
  'self.l': 10,
  'self.l.@items': 40,
}
const options = {
  functions,
  costs,
  variables: new Map([['self', self]]),
  sizeAt: (path: readonly string[]) => sizes[path.join('.')],
}
const value = EntriesMap.ofStrings([
  ['a', 3n],
  ['s', 'text'],
  ['l', new ArrayList(['b', 'a'])],
  ['m', EntriesMap.ofStrings([['k', 1n]])],
])
const run = (text: string, cost = 1_000_000) => compileCel(text, options).run({ self: value }, new Work({ cost }))
const problem = (text: string, minor?: number): string => {
  try {
    compileCel(text, {
      ...options,
      ...(minor === undefined ? {} : { minor, functions: new FunctionTable(standardLibraries, minor) }),
    })
    return ''
  } catch (error) {
    assert.instance(error, CelError)
    return (error as Error).message
  }
}

const language = suite('CEL')

const results: Readonly<Record<string, unknown>> = {
  'self.a + 1 == 4 && self.s.startsWith("te")': true,
  'self.l.sort() == ["a", "b"] && self.l.map(x, x + x) == ["bb", "aa"]': true,
  'self.l.sortBy(x, x)[0] == "a" && [1, 2, 2].distinct() == [1, 2] && [[1], [2]].flatten() == [1, 2]': true,
  'lists.range(3) == [0, 1, 2] && [1, 2, 3].slice(1, 2) == [2] && [1, 2].reverse() == [2, 1]': true,
  'self.m.all(k, v, k == "k" && v == 1) && self.?m[?"x"].orValue(7) == 7': true,
  'optional.none() == null || true': true,
  'dyn(1) == dyn(1.0) && dyn(1u) == dyn(1) && {1: "a"}[dyn(1.0)] == "a"': true,
  'timestamp("2024-03-10T12:00:00Z").getHours("America/New_York") == 8': true,
  'duration("1h30m").getMinutes() == 90 && string(duration("1.5s")) == "1.5s"': true,
  '"\\u00e9".size() == 1 && "é🐎x".charAt(1) == "🐎" && "é🐎x".indexOf("x") == 2': true,
  '-5 / 2 == -2 && -5 % 2 == -1 && string(1000000.0) == "1e+06"': true,
}
for (const [text, expected] of Object.entries(results))
  language(text, () => {
    assert.equal(run(text), { value: expected })
  })

const problems: Readonly<Record<string, RegExp>> = {
  'self.b': /^ERROR: <input>:1:5: undefined field 'b'\n \| self.b\n \| ....\^$/,
  'self.a + "x" == 1': /found no matching overload for '_\+_' applied to '\(int, string\)'/,
  '[1, "a"]': /expected type 'int' but found 'string'/,
  'self.a == null': /found no matching overload for '_==_' applied to '\(int, null_type\)'/,
  'self.s.map(x, x)': /cannot be range of a comprehension/,
  'nothing(1)': /undeclared reference to 'nothing'/,
  '"a".matches("[")': /invalid matches argument/,
  'self.a +': /Syntax error/,
}
for (const [text, expected] of Object.entries(problems))
  language(`rejects ${text} with a clear error`, () => assert.match(problem(text), expected))

language('functions and macros are available from their version on', () => {
  assert.is(problem('[2, 1].sort() == [1, 2]'), '')
  assert.match(problem('[2, 1].sort() == [1, 2]', 33), /undeclared reference to 'sort'/)
  assert.match(problem('[1].all(i, v, i == v)', 31), /undeclared reference/)
  assert.match(problem('self.?m.hasValue()', 27), /undeclared reference/)
})

/** The costs of the reference for the same sizes. */
const estimates: Readonly<Record<string, number>> = {
  'has(self.a)': 1,
  'self == self': 2,
  'self.a == 1': 2,
  'self.s == "x"': 3,
  'self.s.contains("x")': 42,
  'self.s.matches("abcd")': 43,
  'self.l.all(x, x == "a")': 2 + 10 * (2 + 1 + 1 + 1) + 1,
  'self.l.map(x, x)': 2 + 10 + 10 * 13 + 1,
  'self.s.size() > 0 ? self.a : 2': 6,
  '[self.a, 1]': 12,
}
for (const [text, cost] of Object.entries(estimates))
  language(`${text} is estimated at ${cost}`, () => {
    assert.is(compileCel(text, options).maxCost, cost)
  })

language('an expression ends when its cost is used up, and no operator hides it', () => {
  assert.ok('error' in run('self.l.all(x, self.l.all(y, x != y || x == y)) || true', 20))
})

language.run()
