import type { Type } from '../../libs/cel/index.js'
import { readSchema } from '../../libs/json-schema/index.js'
import { functionsOf } from '../../libs/schema-cel/environment.js'
import { customResourceNames } from '../../plugins/custom-resources/names.js'
import { languageOfStoredRules } from '../../plugins/custom-resources/rules/language.js'
import { compileRunRules } from '../../plugins/custom-resources/rules/run-rules.js'
import { validateRules } from '../../plugins/custom-resources/rules/validate-rules.js'
import { finish } from '../../plugins/custom-resources/schemas/turns.js'
import { orchProfile, Vendor } from '../../sdk/index.js'
import { ExpressionMaker, type Term } from './random-expression.js'
import { SeededRandom } from './seeded-random.js'

export interface RulesReport {
  /** Programs by outcome. */
  readonly counts: Readonly<Record<string, number>>
  readonly slowestMs: number
  readonly slowest: string
  readonly failures: readonly string[]
}

/** No program may block the event loop for longer. */
const maxMs = 200
const { keywords } = customResourceNames(new Vendor(orchProfile))

const plain = (kind: Type['kind']): Type => ({ kind, name: kind, params: [] })
const listOf = (item: Type): Type => ({ kind: 'list', name: 'list', params: [item] })
const fields: Readonly<Record<string, readonly [Type, object]>> = {
  s: [plain('string'), { type: 'string' }],
  t: [plain('string'), { type: 'string', maxLength: 1000 }],
  n: [plain('int'), { type: 'integer' }],
  d: [plain('double'), { type: 'number' }],
  b: [plain('bool'), { type: 'boolean' }],
  l: [listOf(plain('string')), { type: 'array', items: { type: 'string' } }],
  li: [listOf(plain('int')), { type: 'array', items: { type: 'integer' } }],
  ll: [listOf(listOf(plain('int'))), { type: 'array', items: { type: 'array', items: { type: 'integer' } } }],
  set: [listOf(plain('string')), { type: 'array', [keywords.listType]: 'set', items: { type: 'string' } }],
  m: [
    { kind: 'map', name: 'map', params: [plain('string'), plain('string')] },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  at: [plain('timestamp'), { type: 'string', format: 'date-time' }],
  du: [plain('duration'), { type: 'string', format: 'duration' }],
  by: [plain('bytes'), { type: 'string', format: 'byte' }],
  x: [plain('dyn'), { [keywords.intOrString]: true }],
}
const terms: readonly Term[] = Object.entries(fields).map(([name, [type]]) => ({ text: `self.${name}`, type }))
const properties = Object.fromEntries(Object.entries(fields).map(([name, [, schema]]) => [name, schema]))

const bodyBytes = 3 * 1024 * 1024
const small = {
  s: 'a,b',
  t: 'aaab',
  n: 3,
  d: 1.5,
  b: true,
  l: ['a', 'b'],
  li: [1, 2, 3],
  ll: [[1], [2, 3]],
  set: ['x', 'y'],
  m: { k: 'v' },
  at: '2024-02-29T12:00:00Z',
  du: '1h',
  by: 'YWJj',
  x: 'a',
}
const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i))
/** Objects of the maximum size, in one field or a few. */
const hostile: readonly object[] = [
  { ...small, s: 'a'.repeat(bodyBytes) },
  { ...small, s: '9'.repeat(bodyBytes) },
  { ...small, s: 'a,'.repeat(bodyBytes / 2), x: 'b'.repeat(1000) },
  { ...small, s: `https://a/${'b%20 '.repeat(bodyBytes / 10)}?${'c=d&'.repeat(bodyBytes / 10)}` },
  { ...small, s: '😀"\n'.repeat(bodyBytes / 8), x: '😀'.repeat(1000) },
  { ...small, li: many(bodyBytes / 2, i => i % 10) },
  { ...small, li: many(bodyBytes / 8, i => -i), l: many(bodyBytes / 20, i => `k${i}`) },
  { ...small, ll: many(1000, () => many(1000, i => i)) },
  { ...small, l: many(bodyBytes / 10, i => `item${i}`) },
  { ...small, set: many(bodyBytes / 10, i => `item${i}`) },
  { ...small, m: Object.fromEntries(many(bodyBytes / 20, i => [`key${i}`, 'v'])) },
  { ...small, by: Buffer.alloc(bodyBytes * 0.7).toString('base64') },
]

/** Most programs on a large object run until their limit; small objects find programs that throw. */
const hostileShare = 0.1

/** Runs random programs on hostile objects in this process: throwing or taking too long is a failure. */
export function fuzzRules(programs: number, seed: number, progress: (text: string) => void = () => {}): RulesReport {
  const random = new SeededRandom(seed)
  const functions = [...functionsOf()].flatMap(([name, overloads]) => overloads.map(each => [name, each] as const))
  const maker = new ExpressionMaker(random, terms, functions)
  const counts: Record<string, number> = {}
  const failures: string[] = []
  let slowest = { ms: 0, text: '' }
  for (let i = 0; i < programs; i++) {
    const text = maker.rule()
    const object = random.fraction() < hostileShare ? random.pick(hostile) : small
    let outcome = ''
    let ms = 0
    try {
      // Garbage collection and compilation may hit any program; one that is really slow is slow again.
      for (let attempt = 0; attempt < 3; attempt++) {
        const took = busyMs(() => (outcome = runProgram(text, object)))
        ms = attempt === 0 ? took : Math.min(ms, took)
        if (ms < maxMs) break
      }
    } catch (error) {
      failures.push(`${text}: ${(error as Error).stack}`)
    }
    counts[outcome] = (counts[outcome] ?? 0) + 1
    if (ms > slowest.ms) slowest = { ms, text }
    if (ms >= maxMs) failures.push(`${Math.round(ms)} ms: ${text}`)
    if ((i + 1) % 5000 === 0) progress(`${i + 1} programs, slowest ${Math.round(slowest.ms)} ms`)
  }
  return { counts, slowestMs: Math.round(slowest.ms), slowest: slowest.text, failures }
}

/** CPU time and wall time are both upper bounds of the time that the thread was busy. */
function busyMs(run: () => void): number {
  const [wall, cpu] = [performance.now(), process.cpuUsage()]
  run()
  const { user, system } = process.cpuUsage(cpu)
  return Math.min(performance.now() - wall, (user + system) / 1000)
}

const language = languageOfStoredRules({ untypedHidden: true })

function runProgram(text: string, object: object): string {
  const spec = { type: 'object', properties, [keywords.validations]: [{ rule: text }] }
  const schema = readSchema(spec, keywords)
  const problems = finish(validateRules(schema, 'schema', { keywords, language }))
  const refused = problems.find(({ type }) => type === 'FieldValueInvalid')
  if (refused) return refused.detail.includes('Syntax') ? 'no syntax' : 'wrong types'
  // A definition with an estimate beyond the limit is rejected. The rule runs here anyway, because stored ones might.
  const admitted = problems.length === 0 ? 'admitted' : 'too costly, run anyway'
  const errors = compileRunRules(schema, language)!.atOnce(object, undefined)
  const [error] = errors
  if (!error) return `${admitted}: holds`
  if (/cost limit|too much/.test(error.detail)) return `${admitted}: ended by its limit`
  return error.detail.startsWith('rule evaluation error') ? `${admitted}: fails` : `${admitted}: does not hold`
}

/** The same with a report on the console; returns the exit code. */
export function runRules(programs: number, seed: number): number {
  console.log(`${programs} programs: repeat with --seed ${seed}`)
  const { failures, counts, slowest, slowestMs } = fuzzRules(programs, seed, text => console.log(text))
  for (const failure of failures) console.log(failure)
  for (const [what, count] of Object.entries(counts).sort()) console.log(`${what}: ${count}`)
  console.log(`slowest ${slowestMs} ms: ${slowest}`)
  console.log(`${failures.length} failures`)
  return failures.length === 0 ? 0 : 1
}
