import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  type AttributeFilter,
  bodyPrefix,
  CompactedError,
  type ListChunk,
  type Revision,
  type Store,
  type StoreEvent,
} from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { attributeOf, compileAttributeFilter, encodeAttributes } from './attributes.js'
import type { Limits } from './lmdb/limits.js'
import { openLmdbStore } from './lmdb/lmdb-storage.js'
import { type ModelWrite, StoreModel } from './store-model.js'

/** Few keys, so that they are often written again; one is the start of another, one sorts differently as UTF-16. */
const keys = ['/a/0', '/a/1', '/a/1/x', '/a/10', '/a/\uFFFD', '/a/\u{1F600}', '/b/0', '/c']
const prefixes = ['', '/', '/a/', '/a/1', '/b/', '/nothing/']
/** Some values are large, so that lists have several chunks. */
const sizes = [10, 10, 10, 4000, 90_000]

interface Pair {
  store: Store
  readonly model: StoreModel
  readonly delivered: StoreEvent[]
  readonly dataDir: string
  readonly limits: Partial<Limits>
  values: number
}
type Act = (pair: Pair) => Promise<void>

const bodyOf = (value: string): Buffer => Buffer.from(`${bodyPrefix}"name":"${value}"}}`)
const attributesOf = (value: string): Buffer => encodeAttributes({ labels: { last: value.slice(0, 1) } })
const shown = (value: string, revision: Revision): string =>
  `${bodyPrefix}"resourceVersion":"${revision}","name":"${value}"}}`
const within = (low: number, high: number, fraction: number): number => low + Math.floor(fraction * (high - low + 1))

// Generators of steps. Fractions stand for revisions, because those are known only while running.
const fraction = fc.double({ min: 0, max: 0.999, noNaN: true })
const anyWrite = fc.record({
  key: fc.constantFrom(...keys),
  size: fc.constantFrom(undefined, undefined, ...sizes),
  expects: fc.constantFrom('nothing', 'absent', 'newest', 'newest', 'stale'),
})
type AnyWrite = typeof anyWrite extends fc.Arbitrary<infer T> ? T : never

function modelWrite(pair: Pair, { key, size, expects }: AnyWrite): ModelWrite {
  const value = size === undefined ? undefined : `${pair.values++}`.padEnd(size, '.')
  const newest = pair.model.get(key)?.modRevision ?? 0
  const expect = { nothing: undefined, absent: 0, newest, stale: newest + 1 }[expects]
  return { key, value, expect }
}

/** Writes submitted together; the engine may commit them together, and takes them in order. */
async function writeAll(pair: Pair, writes: readonly AnyWrite[]): Promise<void> {
  const planned = writes.map(write => modelWrite(pair, write))
  const results = await Promise.all(
    planned.map(({ key, value, expect }) =>
      pair.store.write({
        key,
        body: value === undefined ? undefined : bodyOf(value),
        attributes: attributesOf(value ?? ''),
        expect,
      }),
    ),
  )
  for (const [index, write] of planned.entries()) {
    const revision = pair.model.write(write)
    const result = results[index]!
    assert.is(result.ok ? result.revision : undefined, revision)
  }
}

async function readList(
  pair: Pair,
  prefix: string,
  revision: Revision,
  { limit, filter, between }: { limit?: number; filter?: AttributeFilter; between?: Act },
): Promise<string[]> {
  const bodies: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await pair.store.list({ prefix, revision, limit, after, filter })
    let last: ListChunk | undefined
    for await (const chunk of page.items) {
      chunk.offsets.forEach((offset, index) => {
        const end = (chunk.offsets[index + 1] ?? chunk.joined.length + 1) - 1
        bodies.push(chunk.joined.toString('utf8', offset, end))
      })
      last = chunk
      await between?.(pair)
    }
    if (last?.remaining !== undefined) {
      assert.is(last.remaining, pair.model.list(prefix, revision).length - bodies.length)
    }
    if (!last?.more) return bodies
    after = last.lastKey
  }
}

const write = anyWrite.map(one => (pair: Pair) => writeAll(pair, [one]))
const writeTogether = fc
  .array(anyWrite, { minLength: 2, maxLength: 12 })
  .map(some => (pair: Pair) => writeAll(pair, some))

const list = fc
  .record({
    prefix: fc.constantFrom(...prefixes),
    at: fraction,
    limit: fc.constantFrom(undefined, 1, 2, 3, 100),
    digit: fc.constantFrom(undefined, '1', '2'),
    between: fc.array(anyWrite, { maxLength: 3 }),
  })
  .map(({ prefix, at, limit, digit, between }) => async (pair: Pair) => {
    const revision = within(pair.model.compacted, pair.model.revision, at)
    const filter = digit && compileAttributeFilter([{ kind: 'l', name: 'last', operator: 'in', values: [digit] }])
    const expected = pair.model
      .list(prefix, revision)
      .filter(({ value }) => digit === undefined || value.startsWith(digit))
      .map(({ value, modRevision }) => shown(value, modRevision))
    const disturb: Act = disturbed => writeAll(disturbed, between)
    assert.equal(
      await readList(pair, prefix, revision, { limit, filter: filter || undefined, between: disturb }),
      expected,
    )
  })

const history = fc
  .record({ prefix: fc.constantFrom(...prefixes), from: fraction, to: fraction })
  .map(({ prefix, from, to }) => async ({ store, model }: Pair) => {
    const first = within(model.compacted, model.revision, from)
    const last = within(first, model.revision, to)
    const seen: unknown[] = []
    for await (const { revision, type, key, body } of store.history(prefix, first, last)) {
      seen.push([revision, type, key, String(body)])
    }
    const expected = model
      .history(prefix, first, last)
      .map(({ revision, type, key, value }) => [revision, type, key, shown(value, revision)])
    assert.equal(seen, expected)
  })

const compact = fraction.map(at => async ({ store, model }: Pair) => {
  const revision = within(model.compacted, model.revision, at)
  await store.compact(revision)
  model.compact(revision)
  assert.is(store.compactedRevision(), model.compacted)
  if (model.compacted === 1) return
  try {
    store.history('', model.compacted - 1, model.revision)
    assert.unreachable('history before the compacted revision')
  } catch (error) {
    assert.instance(error, CompactedError)
  }
})

const look = fc.constantFrom(...keys).map(key => async ({ store, model }: Pair) => {
  const found = await store.get(key)
  const expected = model.get(key)
  assert.is(found && String(found.body), expected && shown(expected.value, expected.modRevision))
  if (found && expected) assert.is(attributeOf(found.attributes, 'l', 'last'), expected.value.slice(0, 1))
  for (const prefix of prefixes) assert.is(await store.count(prefix), model.list(prefix, model.revision).length)
})

const reopen = fc.constant(async (pair: Pair) => {
  await pair.store.close()
  pair.store = await openFor(pair)
  assert.is(pair.store.currentRevision(), pair.model.revision)
})

async function openFor({ dataDir, delivered, limits }: Pick<Pair, 'dataDir' | 'delivered' | 'limits'>): Promise<Store> {
  const store = await openLmdbStore({ dataDir, limits })
  store.subscribe(events => delivered.push(...events))
  return store
}

const step: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: write },
  { weight: 4, arbitrary: writeTogether },
  { weight: 6, arbitrary: list },
  { weight: 3, arbitrary: history },
  { weight: 2, arbitrary: look },
  { weight: 1, arbitrary: compact },
  { weight: 1, arbitrary: reopen },
)

/** Small limits, each alone and combined, exercise the code paths of large stores. */
const anyLimits: fc.Arbitrary<Partial<Limits>> = fc.record(
  {
    chunkBytes: fc.constantFrom(1, 10_000),
    keysPerRead: fc.integer({ min: 1, max: 5 }),
    eventsPerRead: fc.integer({ min: 1, max: 5 }),
    logEntriesPerRead: fc.integer({ min: 1, max: 5 }),
    followedChanges: fc.constantFrom(0, 0, 3),
    rememberedChanges: fc.constantFrom(0, 3),
    stepsPerSeek: fc.integer({ min: 1, max: 3 }),
    entriesPerCompaction: fc.integer({ min: 1, max: 5 }),
    writesPerCommit: fc.integer({ min: 1, max: 4 }),
    listsBeforeIndexing: fc.constant(0),
    keysWorthIndexing: fc.constant(0),
    keysPerLookup: fc.constantFrom(0, 0, 1),
    indexedKeys: fc.constantFrom(2, 100, 100),
  },
  { requiredKeys: [] },
)

const model = suite('the store compared with a model')

model('any sequence of writes, lists, pages, histories, compactions and restarts agrees with the model', async () => {
  await fc.assert(
    fc.asyncProperty(anyLimits, fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), async (limits, steps) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'orch-model-'))
      const delivered: StoreEvent[] = []
      const store = await openFor({ dataDir, delivered, limits })
      const pair: Pair = {
        store,
        model: new StoreModel(store.currentRevision()),
        delivered,
        dataDir,
        limits,
        values: 1,
      }
      try {
        for (const act of steps) await act(pair)
        assert.equal(
          pair.delivered.map(({ revision, type, key, body }) => [revision, type, key, String(body)]),
          pair.model.events.map(({ revision, type, key, value }) => [revision, type, key, shown(value, revision)]),
        )
        assert.equal(
          pair.delivered.map(
            event =>
              event
                .previousBody()
                ?.toString()
                .match(/"name":"([^"]*)"/)?.[1],
          ),
          pair.model.events.map(({ previous }) => previous),
        )
      } finally {
        await pair.store.close()
        rmSync(dataDir, { recursive: true, force: true })
      }
    }),
    { numRuns: Number(process.argv[2] ?? 150) },
  )
})

model.run()
