import {
  Bool,
  definePlugin,
  defineResource,
  embedded,
  type FieldError,
  field,
  Kind,
  ListOf,
  type ObjectOf,
  type SentObjectOf,
  Struct,
  Text,
  Time,
} from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const Wish = Kind('wishes.v1.Wish', {
  spec: embedded(2, Struct('wishes.v1.WishSpec', { text: field(1, Text()) })),
  status: field(3, Struct('wishes.v1.WishStatus', { granted: field(1, Bool()) })),
  notes: embedded(4, ListOf(Text())),
  seen: embedded(5, Time()),
  origin: embedded(6, Struct('wishes.v1.Origin', { town: field(1, Text()) }), { nullable: true }),
})
type Wish = ObjectOf<typeof Wish>

const types = suite('the type of an object that was read')

types('has the embedded structs of its schema, and only those', () => {
  const wish: Wish = { metadata: { name: 'rain' }, spec: { text: 'rain' } }
  assert.is(wish.spec.text, wish.metadata.name)
  const wrong = [
    // @ts-expect-error an optional struct may be missing
    () => wish.status.granted,
    // @ts-expect-error a list that is always written is null if it is not set
    () => wish.notes.length,
    // @ts-expect-error and so is a time
    () => wish.seen.length,
    // @ts-expect-error and a struct that says so
    () => wish.origin.town,
  ]
  for (const use of wrong) assert.throws(use, TypeError)
  // @ts-expect-error an object that was read has its spec
  const without: Wish = { metadata: {} }
  assert.ok(without)
})

types('that is sent may omit them', () => {
  const sent: SentObjectOf<typeof Wish> = { metadata: { name: 'rain' } }
  // @ts-expect-error so they may be missing
  assert.throws(() => sent.spec.text, TypeError)
})

types('is what strategies, columns and clients get, whatever was sent', async () => {
  const seen: string[] = []
  const noted = (step: string, { spec, metadata }: Wish) => void seen.push(`${step} ${typeof spec} ${typeof metadata}`)
  const checked = (step: string, wish: Wish): FieldError[] => {
    noted(step, wish)
    return []
  }
  const wishes = defineResource({
    group: 'example.com',
    kind: 'Wish',
    resource: 'wishes',
    namespaced: false,
    versions: [{ name: 'v1', schema: Wish, defaults: (wish: Wish) => noted('defaults', wish) }],
    strategy: {
      prepareForCreate: (wish: Wish) => noted('prepareForCreate', wish),
      validate: (wish: Wish) => checked('validate', wish),
      validateUpdate: (wish: Wish) => checked('validateUpdate', wish),
    },
    selectableFields: { 'spec.text': ({ spec }: Wish) => spec.text ?? '' },
  })
  const plugin = definePlugin({ name: 'wishes', register: to => to.resource(wishes) })
  const { client, stop } = await startServer({ plugins: [plugin] })
  try {
    const all = client.of(wishes)
    const made = await all.create({ metadata: { name: 'rain' } })
    assert.equal([made.spec, made.status, made.notes, made.origin], [{}, undefined, null, null])
    const patched = await all.patch('rain', { spec: null, metadata: { labels: { a: 'b' } } })
    assert.equal(patched.spec, {})
    for await (const { spec } of all.each({ fieldSelector: 'spec.text=' })) assert.equal(spec, {})
    assert.equal((await all.apply({ metadata: { name: 'sun' } }, { fieldManager: 'me' })).spec, {})
    for (const step of ['defaults', 'prepareForCreate', 'validate', 'validateUpdate']) {
      const steps = seen.filter(one => one.startsWith(`${step} `))
      assert.equal([...new Set(steps)], [`${step} object object`])
    }
    // @ts-expect-error what is sent has the fields of the schema, no others
    const unknown: Parameters<typeof all.create>[0] = { spek: {} }
    assert.ok(unknown)
  } finally {
    await stop()
  }
})

types.run()
