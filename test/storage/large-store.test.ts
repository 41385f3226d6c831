import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeAttributes } from '../../kernel/storage/attributes.js'
import { openEnvironment } from '../../kernel/storage/lmdb/open-environment.js'
import { encodeEntry, encodeRecord } from '../../kernel/storage/revision.js'
import { Connection, read } from '../../plugins/storage-etcd/connection.js'
import { KeyLayout } from '../../plugins/storage-etcd/key-layout.js'
import { headerRevision, methods } from '../../plugins/storage-etcd/protocol.js'
import { encodeObject, newWriteId } from '../../plugins/storage-etcd/record.js'
import { contentsKey, storeFormat } from '../../sdk/host/store-contents.js'
import { inFolder } from '../boot/boot-request.js'
import { runBinary } from '../boot/run-binary.js'
import { type EnginePlace, startEngines } from './engines.js'
import { notesGroup } from './notes.js'

const large = suite('storage commands on many objects')

/** On etcd every restored or migrated object is a separate transaction: 100,000 take minutes (ETCD_OBJECTS=100000). */
const objectsOn = { lmdb: 100_000, etcd: Number(process.env['ETCD_OBJECTS'] ?? 4_000) }
const collection = `${notesGroup}/notes`
const batch = 100

interface Filler {
  readonly key: string
  readonly body: Buffer
  readonly attributes: Buffer
}
function objectAt(index: number): Filler {
  const name = `n${String(index).padStart(6, '0')}`
  const attributes = encodeAttributes({ version: 'v1', fields: { 'metadata.name': name } })
  const body = JSON.stringify({ metadata: { name, uid: name }, spec: { text: `${name}\n${'x'.repeat(200)}` } })
  return { key: `${collection}/${name}`, body: Buffer.from(body), attributes }
}
const contentsBody = () => {
  const contents = { format: storeFormat, vendor: 'orch', collections: { [collection]: { versions: ['v1'] } } }
  return Buffer.from(JSON.stringify({ metadata: {}, contents }))
}
const none = Buffer.alloc(0)

/** Many objects in few commits, with their history, as the engine itself would leave them. */
async function fillEmbedded(dataDir: string): Promise<void> {
  const [environment, release] = await openEnvironment({ dataDir })
  const { current, log } = environment
  let revision = environment.readState().revision
  const put = ({ key, body, attributes }: Filler) => {
    revision++
    log.putSync(revision, encodeEntry('create', key, Date.now(), undefined, undefined), { append: true })
    current.putSync(key, encodeRecord(body, attributes, revision))
  }
  for (let index = 0; index < objectsOn.lmdb; index += 5000) {
    await environment.transaction(() => {
      if (index === 0) put({ key: contentsKey, body: contentsBody(), attributes: none })
      for (let each = index; each < index + 5000; each++) put(objectAt(each))
      environment.writeState({ ...environment.readState(), revision })
    })
  }
  await release()
}
async function fillEtcd({ options }: EnginePlace): Promise<void> {
  const { etcdServers, etcdPrefix } = options as { etcdServers: string[]; etcdPrefix: string }
  const connection = new Connection(etcdServers, {})
  const layout = new KeyLayout(etcdPrefix)
  const putOf = ({ key, body, attributes }: Filler) => ({
    requestPut: { key: layout.objectKey(key), value: encodeObject(newWriteId(), body, attributes) },
  })
  await read(connection, methods.txn, {
    compare: [],
    success: [putOf({ key: contentsKey, body: contentsBody(), attributes: none })],
    failure: [],
  })
  for (let index = 0; index < objectsOn.etcd; index += batch) {
    const success = Array.from({ length: batch }, (_, each) => putOf(objectAt(index + each)))
    await read(connection, methods.txn, { compare: [], success, failure: [] })
  }
  // Whoever opens a store reads its newest history, of which so many objects at once make far more than usual.
  const revision = headerRevision(await read(connection, methods.range, { key: layout.mark, countOnly: true }))
  await connection.ask(methods.compact, { revision })
  connection.close()
}

const { engines, stop } = await startEngines()
large.after(stop)

const config = (time: string) => `
  import { storageEtcd } from ${JSON.stringify(new URL('../../plugins/storage-etcd/plugin.js', import.meta.url).href)}
  import { notes } from ${JSON.stringify(new URL('./notes.js', import.meta.url).href)}
  export default { plugins: [storageEtcd, notes.${time}] }`

for (const engine of engines) {
  large(`${engine.name}: every command works and leaves no temporary files`, async () => {
    const [place, other] = [engine.place(), engine.place()]
    const objects = objectsOn[engine.name as keyof typeof objectsOn]
    const matching = (text: string, flags = '') =>
      new RegExp(text.replace('ALL', String(objects + 1)).replace('N', String(objects)), flags)
    await (engine.name === 'lmdb' ? fillEmbedded(place.dataDir) : fillEtcd(place))
    await inFolder({ 'before.mjs': config('before'), 'between.mjs': config('between') }, async dir => {
      const flagsOf = ({ dataDir, flags }: EnginePlace, time: string) =>
        flags.length === 0 ? [`--data-dir=${dataDir}`] : [`--data-dir=${dataDir}`, `--config=${time}.mjs`, ...flags]
      const storage = async (expected: RegExp, at: EnginePlace, time: string, ...words: string[]) => {
        const isPlugged = ['export', 'import', 'migrate'].includes(words[0]!) && at.flags.length === 0
        const more = isPlugged ? [`--config=${time}.mjs`] : []
        const { code, out, err } = await runBinary(dir, 'storage', ...words, ...flagsOf(at, time), ...more)
        assert.is(code, 0, `${words}: ${err}`)
        assert.match(out, expected, `${words}: ${err}`)
      }
      await storage(matching('notes\\.notes\\.test v1 N$', 'm'), place, 'before', 'stats')
      await storage(matching('sound: ALL keys'), place, 'before', 'verify')
      await storage(matching('ALL'), place, 'before', 'backup', 'backup.file')
      await storage(matching('ALL'), other, 'before', 'restore', 'backup.file')
      await storage(matching('sound: ALL keys'), other, 'before', 'verify')
      await storage(matching('Exported ALL objects'), other, 'before', 'export', 'all.json')
      await storage(matching('Migrated N objects'), place, 'between', 'migrate')
      await storage(matching('notes\\.notes\\.test v2 N$', 'm'), place, 'between', 'stats')
      await storage(/Removed (?:\d+ history entries|the history before revision)/, place, 'between', 'compact')
      await storage(matching('sound: ALL keys'), place, 'between', 'verify')
      if (engine.name === 'lmdb') {
        const third = engine.place()
        await storage(matching('Imported ALL objects'), third, 'before', 'import', 'all.json')
        await storage(matching('notes\\.notes\\.test v1 N$', 'm'), third, 'before', 'stats')
        for (const each of [place, other, third]) assert.equal(readdirSync(each.dataDir).sort(), ['lock', 'store'])
        third.remove()
      }
      assert.equal(readdirSync(dir).sort(), ['all.json', 'backup.file', 'before.mjs', 'between.mjs'])
      assert.ok(existsSync(join(dir, 'all.json')))
    })
    place.remove()
    other.remove()
  })
}

large.run()
