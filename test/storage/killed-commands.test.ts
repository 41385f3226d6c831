import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Store } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countVersions, encodeAttributes } from '../../kernel/storage/attributes.js'
import { openLmdbStore } from '../../kernel/storage/lmdb/lmdb-storage.js'
import { backupStore, restoreStore, storageStats, verifyStore } from '../../kernel/storage/maintenance.js'
import { exportStore } from '../../plugins/storage-tools/export-store.js'
import { contentsKey, readContents, storeFormat } from '../../sdk/host/store-contents.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { startEngines } from './engines.js'
import { notesGroup } from './notes.js'

const killed = suite('storage commands that are killed')

const collection = `${notesGroup}/notes`
const program = fileURLToPath(new URL('./step-child.js', import.meta.url))
const objects = 120

/** Runs a command that kills itself at a step, or to its end. */
function run(...words: string[]): Promise<{ steps: string[]; signal: string | null; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', text => (out += text))
    child.on('error', reject).on('close', (code, signal) => resolve({ steps: out.trim().split('\n'), signal, code }))
  })
}

/** Notes of version v1, all with one text. */
async function fill(store: Store, text: string): Promise<void> {
  const contents = { format: storeFormat, vendor: 'orch', collections: { [collection]: { versions: ['v1'] } } }
  await store.write({ key: contentsKey, body: Buffer.from(JSON.stringify({ metadata: {}, contents })) })
  const write = (_: unknown, index: number) => {
    const name = `n${index}`
    const attributes = encodeAttributes({ version: 'v1', fields: { 'metadata.name': name } })
    const body = Buffer.from(JSON.stringify({ metadata: { name }, spec: { text } }))
    return store.write({ key: `${collection}/${name}`, body, attributes })
  }
  await Promise.all(Array.from({ length: objects }, write))
}
async function withStore<T>(open: () => Promise<Store>, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await open()
  return await use(store).finally(() => store.close())
}
/** The texts that are stored, each once, and how many objects there are. */
async function textsIn(dataDir: string): Promise<[string, number]> {
  return withStore(
    () => openLmdbStore({ dataDir }),
    async store => {
      const texts = new Set<string>()
      let count = 0
      const page = await store.list({ prefix: `${collection}/` })
      for await (const { joined } of page.items) {
        for (const { spec } of JSON.parse(`[${joined}]`) as { spec: { text: string } }[]) {
          texts.add(spec.text)
          count++
        }
      }
      return [[...texts].join(), count]
    },
  )
}
async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  try {
    await use(folder.path)
  } finally {
    folder.remove()
  }
}
const fresh = (folder: string, name: string, from: string): string => {
  cpSync(from, join(folder, name), { recursive: true })
  return join(folder, name)
}

killed('restore, compact and backup leave either the old store or the new one, and the next command cleans up', () =>
  inFolder(async folder => {
    const [old, backup] = [join(folder, 'old'), join(folder, 'backup.mdb')]
    for (const text of ['saved', 'present']) {
      mkdirSync(old, { recursive: true })
      await withStore(
        () => openLmdbStore({ dataDir: old }),
        store => fill(store, text),
      )
      if (text === 'saved') await backupStore(old, backup)
    }
    for (const command of ['restore', 'compact', 'backup']) {
      const targets = join(folder, `${command}-targets`)
      mkdirSync(targets)
      const target = command === 'restore' ? backup : join(targets, 'again.mdb')
      const { steps, code } = await run(command, fresh(folder, `${command}-whole`, old), target)
      assert.is(code, 0)
      assert.ok(steps.length >= 3, `${command}: ${steps}`)
      for (const [index, step] of steps.entries()) {
        const dataDir = fresh(folder, `${command}-${index}`, old)
        const { signal } = await run(command, dataDir, target, step)
        assert.is(signal, 'SIGKILL', `${command} at ${step}`)
        // The next command gets a complete store.
        await storageStats(dataDir)
        const isReplaced = command === 'restore' && step === steps.at(-1)
        assert.equal(await textsIn(dataDir), [isReplaced ? 'saved' : 'present', objects], `${command} at ${step}`)
        assert.equal((await verifyStore(dataDir)).problems, [])
        const left = readdirSync(dataDir).filter(name => !(isReplaced && name.startsWith('store-before-')))
        assert.equal(left.sort(), ['lock', 'store'], `${command} at ${step}`)
        assert.is((await run(command, dataDir, target)).code, 0)
        assert.equal(readdirSync(targets), command === 'backup' ? ['again.mdb'] : [], `${command} at ${step}`)
      }
    }
    assert.is((await restoreStore(join(folder, 'other'), join(folder, 'backup-targets/again.mdb'))).keys, objects + 1)
  }),
)

const { engines, stop } = await startEngines()
killed.after(stop)

for (const engine of engines) {
  const wordsOf = (flags: readonly string[]) => flags.slice(1).map(flag => flag.slice(flag.indexOf('=') + 1))

  killed(`${engine.name}: an import is complete or detectably incomplete, and can be repeated`, () =>
    inFolder(async folder => {
      const file = join(folder, 'export.json')
      mkdirSync(join(folder, 'source'))
      await withStore(
        () => openLmdbStore({ dataDir: join(folder, 'source') }),
        async store => {
          await fill(store, 'moved')
          const pieces: Buffer[] = []
          for await (const piece of exportStore(store, () => {})) pieces.push(piece)
          writeFileSync(file, Buffer.concat(pieces))
        },
      )
      const first = engine.place()
      const { steps, code } = await run('import', first.dataDir, file, '', ...wordsOf(first.flags))
      assert.is(code, 0)
      assert.ok(steps.length >= 4, steps.join())
      for (const step of steps) {
        const place = engine.place()
        const { signal } = await run('import', place.dataDir, file, step, ...wordsOf(place.flags))
        assert.is(signal, 'SIGKILL', step)
        const unfinished = await withStore(place.open, async store => (await readContents(store)).contents?.unfinished)
        assert.is(unfinished, step === steps.at(-1) ? undefined : 'import', step)
        if (unfinished !== undefined) {
          assert.is((await run('import', place.dataDir, file, '', ...wordsOf(place.flags))).code, 0)
        }
        const counts = await withStore(place.open, store => countVersions(store, collection))
        assert.equal([...counts], [['v1', objects]], step)
        place.remove()
      }
      first.remove()
    }),
  )

  killed(`${engine.name}: an export is complete or missing, and the next one cleans up`, () =>
    inFolder(async folder => {
      const place = engine.place()
      await withStore(place.open, store => fill(store, 'moved'))
      const file = join(folder, 'export.json')
      const { steps, code } = await run('export', place.dataDir, file, '', ...wordsOf(place.flags))
      assert.is(code, 0)
      assert.ok(steps.length >= 3, steps.join())
      const whole = readFileSync(file)
      for (const [isNew, step] of steps.flatMap(step => [true, false].map(isNew => [isNew, step] as const))) {
        if (isNew) rmSync(file)
        else writeFileSync(file, 'an older one')
        const { signal } = await run('export', place.dataDir, file, step, ...wordsOf(place.flags))
        assert.is(signal, 'SIGKILL', step)
        const left = existsSync(file) ? readFileSync(file, 'utf8') : undefined
        const before = isNew ? undefined : 'an older one'
        assert.is(left, step === steps.at(-1) ? whole.toString() : before, step)
        assert.is((await run('export', place.dataDir, file, '', ...wordsOf(place.flags))).code, 0)
        assert.equal([readdirSync(folder), readFileSync(file)], [['export.json'], whole], step)
      }
      place.remove()
    }),
  )

  killed(`${engine.name}: a migration resumes`, async () => {
    const first = engine.place()
    await withStore(first.open, store => fill(store, 'a\nb'))
    const { steps, code } = await run('migrate', first.dataDir, '', '', ...wordsOf(first.flags))
    assert.is(code, 0)
    assert.ok(steps.length >= 3, steps.join())
    for (const step of steps) {
      const place = engine.place()
      await withStore(place.open, store => fill(store, 'a\nb'))
      assert.is((await run('migrate', place.dataDir, '', step, ...wordsOf(place.flags))).signal, 'SIGKILL', step)
      const between = await withStore(place.open, store => countVersions(store, collection))
      assert.is(
        [...between.values()].reduce((sum, count) => sum + count),
        objects,
        step,
      )
      assert.is((await run('migrate', place.dataDir, '', '', ...wordsOf(place.flags))).code, 0)
      await withStore(place.open, async store => {
        assert.equal([...(await countVersions(store, collection))], [['v2', objects]])
        assert.equal((await readContents(store)).contents?.collections[collection], { versions: ['v2'] })
        const { body } = (await store.get(`${collection}/n7`))!
        assert.equal(JSON.parse(String(body)).spec, { lines: ['a', 'b'], color: 'white' })
      })
      place.remove()
    }
    first.remove()
  })
}
assert.ok(existsSync(program))
killed.run()
