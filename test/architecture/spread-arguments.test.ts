import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scanCode } from './scan-code.js'
import { sources } from './sources.js'

const spreads = suite('lists as arguments')

/** The number of arguments of a call is limited, and lists that users send may be longer. */
const variadic = String.raw`\.(?:push|unshift|splice|concat)|Math\.(?:max|min|hypot)|\.from(?:CharCode|CodePoint)|Object\.assign|addAll|\.apply`
const spread = new RegExp(String.raw`(?:${variadic})\((?:[^()[\]{}]|\([^()]*\))*?\.\.\.`, 'g')

/** Lists that are bounded whatever users send, and why. */
const bounded: Readonly<Record<string, string>> = {
  'kernel/boot/boot-plugins.ts': 'problems of the config',
  'kernel/boot/check-kernel-options.ts': 'problems of the options',
  'plugins/authentication/x509/verify-chain.ts': 'a chain of eight certificates at most',
}

const spreadsIn = (text: string) => [...scanCode(text).statements.matchAll(spread)].map(([call]) => call)
const isOurs = (path: string) => !path.endsWith('.test.ts') && !/\/testing\/|\/conformance[/.]/.test(path)

spreads('no list of unbounded length is spread into the arguments of a call', () => {
  const found = sources('libs', 'kernel', 'sdk', 'plugins')
    .filter(({ path }) => isOurs(path) && bounded[path] === undefined)
    .flatMap(({ path, text }) => spreadsIn(text).map(call => `${path}: ${call}`))
  assert.equal(found, [], 'use addAll, or a loop')
})
spreads('every exception is needed', () => {
  const all = new Map(sources('kernel', 'plugins').map(({ path, text }) => [path, text]))
  const unused = Object.keys(bounded).filter(path => spreadsIn(all.get(path) ?? '').length === 0)
  assert.equal(unused, [])
})

const samples: Readonly<Record<string, number>> = {
  'errors.push(...found)': 1,
  'errors.push(first(a), ...found.map(each => each.error))': 1,
  'const most = Math.max(0, ...sizes)': 1,
  'addAll(errors,\n  ...items.map(check))': 1,
  'errors.push({ ...error, field })': 0,
  'lists.push([...found])': 0,
  'errors.push(shown(...found))': 0,
  '// errors.push(...found)': 0,
}
for (const [text, count] of Object.entries(samples))
  spreads(`${count === 0 ? 'allowed' : 'forbidden'}: ${text}`, () => assert.is(spreadsIn(text).length, count))

spreads.run()
