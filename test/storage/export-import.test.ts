import { CompactedError, changeContents, type Store, storeFormat } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeAttributes } from '../../kernel/storage/attributes.js'
import { exportStore } from '../../plugins/storage-tools/export-store.js'
import { importStore } from '../../plugins/storage-tools/import-store.js'
import { readExport } from '../../plugins/storage-tools/read-export.js'
import { rejects } from '../support/rejects.js'
import { startEngines } from './engines.js'

const moving = suite('export and import')

const { engines, stop } = await startEngines()
moving.after(stop)

async function withStores(work: (...stores: [Store, Store]) => Promise<void>, engine = engines[0]!): Promise<void> {
  const places = [engine.place(), engine.place()] as const
  const stores: [Store, Store] = [await places[0].open(), await places[1].open()]
  try {
    await work(...stores)
  } finally {
    await Promise.all(stores.map(store => store.close()))
    for (const place of places) place.remove()
  }
}

const quiet = () => {}
const bodyOf = (name: string, size = 0) =>
  Buffer.from(`{"metadata":{"name":"${name}","uid":"uid-of-${name}"},"data":"${'x'.repeat(size)}"}`)
async function fill(store: Store, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const name = `n${String(index).padStart(3, '0')}`
    const attributes = encodeAttributes({ labels: { name } })
    await store.write({ key: `/things/${name}`, body: bodyOf(name, 3000), attributes })
  }
  await store.write({ key: '/things/gone', body: bodyOf('gone') })
  await store.write({ key: '/things/gone', body: undefined })
}
async function exported(store: Store, between?: () => Promise<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of exportStore(store, quiet)) {
    pieces.push(piece)
    await between?.()
  }
  return Buffer.concat(pieces)
}
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

moving('moves every object with its uid and attributes, to versions after all previous ones', () =>
  withStores(async (from, to) => {
    await fill(from, 200)
    const bytes = await exported(from)
    const result = await importStore(to, await readExport(inPieces(bytes, 1000)), quiet)
    assert.is(result.count, 200)
    assert.is(await to.count(''), 200)
    for (const name of ['n000', 'n123', 'n199']) {
      const before = await from.get(`/things/${name}`)
      const after = await to.get(`/things/${name}`)
      assert.ok(before && after)
      assert.equal(after.attributes, before.attributes)
      assert.ok(after.modRevision > from.currentRevision())
      const withoutVersion = (body: Buffer) => String(body).replace(/"resourceVersion":"\d+",/, '')
      assert.is(withoutVersion(after.body), withoutVersion(before.body))
    }
    // What was moved can be moved on, and says the same.
    const again = String(await exported(to)).split('\n')
    const bodies = (lines: string[]) => lines.slice(1, -2).map(line => line.slice(line.indexOf('"body"')))
    assert.equal(bodies(again), bodies(String(bytes).split('\n')))
  }),
)

for (const engine of engines) {
  moving(
    `${engine.name}: restores a revision that the store still has, and starts history after all previous revisions`,
    () =>
      withStores(async (from, to) => {
        await fill(from, 5)
        const revision = from.currentRevision()
        await from.write({ key: '/things/n001', body: undefined })
        await from.write({ key: '/things/n002', body: bodyOf('changed') })
        await from.write({ key: '/things/later', body: bodyOf('later') })
        const pieces: Buffer[] = []
        for await (const piece of exportStore(from, quiet, { revision })) pieces.push(piece)
        const result = await importStore(to, await readExport(inPieces(Buffer.concat(pieces), 1000)), quiet)
        assert.is(result.count, 5)
        assert.match(String((await to.get('/things/n001'))?.body), /uid-of-n001/)
        assert.match(String((await to.get('/things/n002'))?.body), /uid-of-n002/)
        assert.is(await to.get('/things/later'), undefined)
        assert.ok((await to.get('/things/n001'))!.modRevision > from.currentRevision())
        // A client that saw "later" would never receive its deletion.
        const oldest = (await to.get('/things/n004'))!.modRevision
        for (const seen of [from.currentRevision() - 1, oldest - 1]) {
          const resumed = rejects((async () => to.history('/things/', seen, result.revision))())
          assert.instance(await resumed, CompactedError)
        }
        const failing = (at: number) => rejects(exportStore(from, quiet, { revision: at }).next())
        assert.match((await failing(10_000)).message, /there is no revision 10000 yet/)
        await from.compact(from.currentRevision())
        assert.match((await failing(revision)).message, /has been compacted: the oldest is \d+/)
      }, engine),
  )
}

moving('exports one revision, whatever is written meanwhile', () =>
  withStores(async from => {
    await fill(from, 200)
    const revision = from.currentRevision()
    let turn = 0
    const bytes = await exported(from, async () => {
      await from.write({ key: `/things/n199`, body: undefined })
      await from.write({ key: `/things/later-${turn++}`, body: bodyOf('later') })
    })
    const lines = String(bytes).trimEnd().split('\n')
    assert.equal(JSON.parse(lines[0]!), { format: 'store-export', version: 1, revision, count: 200 })
    assert.is(lines.length, 202)
    assert.not.match(String(bytes), /later/)
  }),
)

moving('refuses what a later version exported', () =>
  withStores(async (from, to) => {
    await changeContents(from, () => ({ format: storeFormat + 1, vendor: 'orch', collections: {} }))
    const importing = importStore(to, await readExport(inPieces(await exported(from), 1000)), quiet)
    assert.match((await rejects(importing)).message, /has format \d+, and this program knows/)
  }),
)

moving('an empty store can be moved too', () =>
  withStores(async (from, to) => {
    const bytes = await exported(from)
    assert.is((await importStore(to, await readExport(inPieces(bytes, 10)), quiet)).count, 0)
  }),
)

moving('refuses a store that is not empty', () =>
  withStores(async (from, to) => {
    await fill(to, 1)
    const reading = await readExport(inPieces(await exported(from), 100))
    const failure = await importStore(to, reading, quiet).catch((error: unknown) => error)
    assert.match(String(failure), /not empty/)
  }),
)

const damages: Record<string, { change: (text: string) => string; says: RegExp }> = {
  'a changed letter': { change: text => text.replace('uid-of-n001', 'uid-of-n999'), says: /checksum/ },
  'a missing end': { change: text => text.slice(0, text.lastIndexOf('{"end"')), says: /end is missing/ },
  'a missing line': { change: text => text.replace(/\{"key":"\/things\/n001.*\n/, ''), says: /2 of 3 objects/ },
  'a broken line': { change: text => text.slice(0, text.length - 40), says: /not a JSON object/ },
  'a later version': { change: text => text.replace('"version":1', '"version":2'), says: /format version 2/ },
  'something else': { change: () => '{"kind":"List"}\n', says: /not a stream of storage export/ },
  'nothing at all': { change: () => '', says: /empty/ },
}
for (const [what, { change, says }] of Object.entries(damages)) {
  moving(`refuses a stream with ${what}`, () =>
    withStores(async from => {
      await fill(from, 3)
      const bytes = Buffer.from(change(String(await exported(from))))
      const read = async () => {
        const { records } = await readExport(inPieces(bytes, 700))
        for await (const _ of records);
      }
      const failure = await read().catch((error: unknown) => error)
      assert.match(String(failure), says)
    }),
  )
}

moving.run()
