import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { create, remove, update } from '../../test/support/store-steps.js'
import { openLmdbStore } from './lmdb/lmdb-storage.js'
import { openEnvironment } from './lmdb/open-environment.js'
import {
  attributesOf,
  bodyOf,
  decodeEntry,
  encodeEntry,
  encodeRecord,
  modRevisionOf,
  pastKey,
  prefixEnd,
  readRevision,
  restampRecord,
  writeRevision,
} from './revision.js'

const layout = suite('the bytes of a store')
const anyRevision = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const anyKey = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map(text => text.replaceAll('\x00', '0'))

layout('revisions round-trip, and their bytes sort like numbers', () => {
  fc.assert(
    fc.property(anyRevision, anyRevision, (one, other) => {
      const [first, second] = [one, other].map(revision => {
        const bytes = Buffer.alloc(8)
        writeRevision(bytes, revision, 0)
        assert.is(readRevision(bytes, 0), revision)
        return bytes
      })
      assert.is(Math.sign(first!.compare(second!)), Math.sign(one - other))
    }),
  )
})

layout('past keys sort by key and then by revision', () => {
  fc.assert(
    fc.property(anyKey, anyKey, anyRevision, anyRevision, (one, other, early, late) => {
      const byKey = Math.sign(Buffer.compare(Buffer.from(one), Buffer.from(other)))
      const expected = byKey === 0 ? Math.sign(early - late) : byKey
      assert.is(Math.sign(pastKey(one, early).compare(pastKey(other, late))), expected)
    }),
  )
})

layout('the keys of a prefix lie before its end, and all others outside', () => {
  fc.assert(
    fc.property(anyKey, anyKey, (prefix, key) => {
      const [start, end, bytes] = [Buffer.from(prefix), prefixEnd(Buffer.from(prefix))!, Buffer.from(key)]
      const isInside = bytes.compare(start) >= 0 && bytes.compare(end) < 0
      assert.is(isInside, bytes.subarray(0, start.length).equals(start))
    }),
  )
})

const bodies = [
  '{"metadata":{}}',
  '{"metadata":{},"spec":{}}',
  '{"metadata":{"name":"a"}}',
  '{"metadata":{"name":"é"},"x":[]}',
]
for (const body of bodies) {
  layout(`${body} carries the revision it is stamped with`, () => {
    const attributes = Buffer.from('\x00lapp\x01web\x00')
    for (const revision of [9, 10, 99_999, 2 ** 40]) {
      const first = encodeRecord(Buffer.from(body), attributes, revision)
      const again = restampRecord(first, revision * 11)
      for (const [record, expected] of [[first, revision] as const, [again, revision * 11] as const]) {
        const { metadata, ...rest } = JSON.parse(bodyOf(record).toString()) as { metadata: Record<string, string> }
        const { resourceVersion, ...others } = metadata
        assert.is(resourceVersion, String(expected))
        assert.is(modRevisionOf(record), expected)
        assert.equal({ metadata: others, ...rest }, JSON.parse(body))
        assert.ok(attributesOf(record).equals(attributes))
      }
    }
  })
}

layout('a log entry round-trips', () => {
  const [previous, last] = [Buffer.from('previous'), Buffer.from('last')]
  for (const [before, shown] of [
    [undefined, undefined],
    [previous, undefined],
    [previous, last],
  ] as const) {
    const entry = encodeEntry('update', '/ké', 1_700_000_000_123, before, shown)
    assert.equal(decodeEntry(entry), {
      type: 'update',
      key: '/ké',
      time: 1_700_000_000_123,
      previous: before,
      last: shown,
    })
  }
})

layout('looks as drawn in the README', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'orch-layout-'))
  const store = await openLmdbStore({ dataDir })
  const [environment, release] = await openEnvironment({ dataDir })
  try {
    await create(store, '/a', 'v1')
    await create(store, '/b', 'v1')
    await update(store, '/a', 'v2')
    await remove(store, '/b')
    const shown = (record: Buffer | undefined) =>
      record && `[${modRevisionOf(record)}] ${/"name":"(.*?)"/.exec(bodyOf(record).toString())?.[1]}`
    const draw = () => ({
      current: [...environment.current.getRange({ start: '/' })].map(({ key, value }) => `${key} -> ${shown(value)}`),
      log: [...environment.log.getRange({ start: 0 })].map(({ key, value }) => {
        const { type, key: name, previous } = decodeEntry(value)
        return `${key} ${type} ${name}${previous ? ` was ${shown(previous)}` : ''}`
      }),
      past: [...environment.past.getRange()].map(({ key, value }) => {
        const bytes = Buffer.from(key)
        return `${bytes.subarray(0, -9)} 00 ${readRevision(bytes, bytes.length - 8)} -> ${readRevision(value, 0)}`
      }),
      state: environment.readState(),
    })
    assert.equal(draw(), {
      current: ['/a -> [4] v2'],
      log: ['2 create /a', '3 create /b', '4 update /a was [2] v1', '5 delete /b was [3] v1'],
      past: ['/a 00 4 -> 2', '/b 00 5 -> 3'],
      state: { revision: 5, compacted: 1 },
    })
    await store.compact(4)
    assert.equal(draw(), {
      current: ['/a -> [4] v2'],
      log: ['5 delete /b was [3] v1'],
      past: ['/b 00 5 -> 3'],
      state: { revision: 5, compacted: 4 },
    })
  } finally {
    await release()
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

layout.run()
