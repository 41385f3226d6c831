import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scanCode } from './scan-code.js'
import { type Source, sources } from './sources.js'

/** How often our own code (tests apart) may do what reads badly or hides something. Each figure may only fall. */
const budgets: readonly { what: string; pattern: RegExp; within: readonly string[]; most: number }[] = [
  // `isPromise` and `andThen` of the sdk ask for everybody.
  { what: 'instanceof Promise', pattern: /\binstanceof Promise\b/g, within: [''], most: 2 },
  // The conventions of a type say what it means that its objects are data; nobody else asks.
  { what: 'unstructured', pattern: /(?<!')\bunstructured\b(?!')/g, within: ['kernel/'], most: 3 },
  { what: 'as unknown as', pattern: /\bas unknown as\b/g, within: [''], most: 36 },
  { what: 'as never', pattern: /\bas never\b/g, within: [''], most: 34 },
]

const budgetTests = suite('budgets of the code')

function occurrences(files: readonly Source[], pattern: RegExp): string[] {
  return files
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, text }) => Array.from(scanCode(text).code.matchAll(pattern), ([found]) => `${path}: ${found}`))
}

for (const { what, pattern, within, most } of budgets)
  budgetTests(`${what}: at most ${most}`, () => {
    const files = sources('libs', 'kernel', 'sdk', 'plugins', 'orchctl')
    const found = occurrences(
      files.filter(({ path }) => within.some(folder => path.startsWith(folder))),
      pattern,
    )
    assert.ok(found.length <= most, `${found.length}:\n${found.join('\n')}`)
  })

budgetTests('a planted one is counted, unless it is in a comment', () => {
  const text = '// a instanceof Promise\nif (a instanceof Promise) await a'
  assert.is(occurrences([{ path: 'a.ts', text, isTest: false }], /\binstanceof Promise\b/g).length, 1)
})

budgetTests.run()
