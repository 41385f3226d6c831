import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { bodiesOf, type Store } from 'orch/sdk/host'
import { storeContract } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Memory } from './memory.js'
import { MemoryStore } from './memory-store.js'
import { openMemoryStore } from './open-memory-store.js'
import { byBytes, SortedKeys } from './sorted-keys.js'

const engine = suite('the storage engine memory')
const hourMs = 3_600_000
const body = Buffer.from('{"metadata":{"name":"one"}}')

/** Stores by place: the contract opens some again. */
const places = new Map<string, Memory>()
const open = async (place?: string): Promise<Store> => {
  const memory = places.get(place ?? '') ?? new Memory()
  if (place !== undefined) places.set(place, memory)
  return new MemoryStore(memory, { historyMs: hourMs, now: Date.now })
}
for (const { name, run } of storeContract(open, { chainsWrites: true })) engine(name, run)

engine('removes history that is older than its retention time', async () => {
  let now = 0
  const store = new MemoryStore(new Memory(), { historyMs: hourMs, now: () => now })
  for (const key of ['/a', '/b']) await store.write({ key, body })
  await store.write({ key: '/b', body: undefined })
  now += 2 * hourMs
  await store.write({ key: '/a', body })
  assert.equal(store.stats(), { ...store.stats(), keys: 1, historyEntries: 1, compactedRevision: 4 })
  assert.is(store.count('/'), 1)
})

engine('keeps its keys in order when keys are added and removed', () => {
  const anyKey = fc.string({ unit: fc.constantFrom('/', 'a', 'b', '0', '\uFFFD', '\u{1F600}'), maxLength: 6 })
  fc.assert(
    fc.property(
      fc.array(anyKey, { maxLength: 80 }),
      fc.array(anyKey),
      anyKey,
      anyKey,
      (added, removed, prefix, after) => {
        const keys = new SortedKeys()
        for (const key of added) keys.add(key)
        for (const key of removed) keys.remove(key)
        const left = [...new Set(added)].filter(key => !removed.includes(key)).sort(byBytes)
        assert.equal([...keys.withPrefix('')], left)
        const wanted = left.filter(key => key.startsWith(prefix) && byBytes(key, after) > 0)
        assert.equal([...keys.withPrefix(prefix, after)], wanted)
      },
    ),
  )
})

engine('keeps many keys in order', () => {
  const keys = new SortedKeys()
  const all = Array.from({ length: 5000 }, (_, at) => `/k${(at * 7919) % 5000}`)
  for (const key of all) keys.add(key)
  assert.equal([...keys.withPrefix('/k')], all.toSorted())
  for (const key of all) if (key.endsWith('7')) keys.remove(key)
  assert.equal([...keys.withPrefix('/k12')], all.filter(key => key.startsWith('/k12') && !key.endsWith('7')).toSorted())
})

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-memory-'))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const engineOptions = { historyMs: hourMs, now: Date.now }

engine('loads a snapshot, and saves one if configured', () =>
  inFolder(async folder => {
    const memorySnapshot = join(folder, 'store.json')
    const first = await openMemoryStore({ ...engineOptions, memorySnapshot, memorySnapshotSave: true })
    await first.write({ key: '/a', body, attributes: Buffer.from([1, 200]) })
    await first.write({ key: '/gone', body })
    await first.write({ key: '/gone', body: undefined })
    await first.close()
    assert.is((statSync(memorySnapshot).mode & 0o777).toString(8), '600')
    const second = await openMemoryStore({ ...engineOptions, memorySnapshot, memorySnapshotSave: false })
    assert.is(second.currentRevision(), 4)
    assert.is(second.compactedRevision(), 4)
    const found = await second.get('/a')
    assert.is(String(found?.body), '{"metadata":{"resourceVersion":"2","name":"one"}}')
    assert.equal(found?.attributes, Buffer.from([1, 200]))
    const { items } = await second.list({ prefix: '/' })
    for await (const chunk of items) assert.equal([...bodiesOf(chunk)].map(String), [String(found?.body)])
    await second.close()
  }),
)

engine('rejects a file that is not a snapshot, and several processes', () =>
  inFolder(async folder => {
    const memorySnapshot = join(folder, 'store.json')
    writeFileSync(memorySnapshot, '{}')
    const messageOf = (options: object) =>
      openMemoryStore({ ...engineOptions, memorySnapshotSave: false, ...options }).then(
        () => 'opened',
        (error: Error) => error.message,
      )
    assert.match(await messageOf({ memorySnapshot }), /is not a snapshot of an in-memory store/)
    const peers = { isPrimary: true, announce() {}, onNews() {} }
    assert.match(await messageOf({ peers }), /--workers must be 1/)
  }),
)

engine.run()
