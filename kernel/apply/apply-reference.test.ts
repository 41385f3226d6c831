import * as fc from 'fast-check'
import {
  ApiError,
  type ApiObject,
  AtomicList,
  embedded,
  field,
  Int32,
  Kind,
  ListOf,
  required,
  SetList,
  StringMap,
  Struct,
  Text,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decoded, later, typeOf } from './apply-fixtures.js'
import { applyObject, trackUpdate } from './at-once-fixtures.js'
import { factsOf, ReferenceModel, type Sample } from './reference-model.js'
import { type FieldSet, pathsOf } from './structured-merge/field-set.js'

const Part = Struct('test.v1.SamplePart', { name: required(1, Text()), image: field(2, Text()) })
const Spec = Struct('test.v1.SampleSpec', {
  size: field(1, Int32()),
  mode: field(2, Text()),
  args: field(3, AtomicList(Text())),
  tags: field(4, SetList(Text())),
  parts: field(5, ListOf(Part, { patchStrategy: 'merge', patchMergeKey: 'name' })),
})
const type = typeOf(Kind('test.v1.Sample', { data: field(2, StringMap()), spec: embedded(3, Spec) }))

/** Values that are kept when stored: empty ones mean "not set" and would be dropped. */
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const word = fc.constantFrom('x', 'y')
const sample: fc.Arbitrary<Sample> = fc
  .record({
    data: some(fc.dictionary(fc.constantFrom('a', 'b', 'c'), word, { minKeys: 1 })),
    spec: some(
      fc
        .record({
          size: some(fc.integer({ min: 1, max: 2 })),
          mode: some(word),
          args: some(fc.array(word, { minLength: 1, maxLength: 2 })),
          tags: some(fc.uniqueArray(fc.constantFrom('t', 'u', 'v'), { minLength: 1 })),
          parts: some(
            fc.uniqueArray(fc.record({ name: fc.constantFrom('p', 'q'), image: some(word) }), {
              minLength: 1,
              selector: part => part.name,
            }),
          ),
        })
        .map(compact),
    ),
  })
  .map(compact)

function compact<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

interface Step {
  readonly manager: string
  readonly verb: 'apply' | 'force' | 'update'
  readonly body: Sample
}
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    manager: fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5', 'm6'),
    verb: fc.constantFrom('apply', 'apply', 'force', 'update'),
    body: sample,
  }),
  { minLength: 1, maxLength: 10 },
)

const pathText = (path: readonly string[]) =>
  path.map(element => (element.startsWith('f:') ? element.slice(2) : `[${identityOf(element)}]`)).join('/')
function identityOf(element: string): string {
  const value: unknown = JSON.parse(element.slice(2))
  return typeof value === 'string' ? value : String((value as { name: string }).name)
}
const ownersOf = (object: ApiObject | undefined) =>
  Object.fromEntries(
    (object?.metadata.managedFields ?? [])
      .map(
        entry =>
          [
            `${entry.manager} ${entry.operation}`,
            [...pathsOf(entry.fieldsV1 as FieldSet)].map(pathText).sort(),
          ] as const,
      )
      .sort(),
  )
const factTexts = (object: ApiObject | undefined) =>
  [...factsOf((object ?? {}) as Sample)]
    .filter(([, value]) => value !== '…')
    .map(fact => fact.join('='))
    .sort()

/** One step against the real thing: the stored object, or the paths in conflict. */
function perform(live: ApiObject | undefined, step: Step, second: number): ApiObject | string[] {
  const { manager, verb, body } = step
  const sent = { metadata: { name: 'a' }, ...body }
  if (verb === 'update') return trackUpdate(type, live, decoded(type, sent), manager, later(second))
  try {
    return decoded(type, applyObject(type, live, sent, manager, verb === 'force', later(second)))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 409) throw error
    return (error.details?.causes ?? []).map(cause => cause.field ?? '')
  }
}

const reference = suite('apply against the reference model')

reference('ten thousand random sequences of up to six managers agree', () => {
  fc.assert(
    fc.property(steps, sequence => {
      const model = new ReferenceModel()
      let live: ApiObject | undefined = decoded(type, { metadata: { name: 'a' } })
      sequence.forEach((step, index) => {
        const result = perform(live, step, index)
        if (step.verb === 'update') model.update(step.manager, step.body)
        else {
          const conflicts = model.apply(step.manager, step.body, step.verb === 'force')
          assert.is(Array.isArray(result) ? result.length : 0, conflicts.length, `conflicts of step ${index}`)
        }
        if (!Array.isArray(result)) live = result
        assert.equal(factTexts(live), model.facts(), `object after step ${index}`)
        assert.equal(ownersOf(live), model.owners(), `owners after step ${index}`)
      })
    }),
    { numRuns: 10_000 },
  )
})

reference.run()
