import { spawnSync } from 'node:child_process'
import fs, { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { StorageError } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../../test/support/temporary-folder.js'
import { checkDataFile } from './data-file.js'
import { openLmdbStore } from './lmdb-storage.js'

const files = suite('a damaged data file')

const pageSize = 4096
const folder = temporaryFolder()
files.after(() => folder.remove())

const store = await openLmdbStore({ dataDir: folder.path })
for (let round = 0; round < 3; round++) {
  const write = (_: unknown, index: number) => {
    const value = 'x'.repeat(index % 50 === 0 ? 20_000 : 300)
    return store.write({ key: `/things/${index}`, body: Buffer.from(`{"metadata":{"name":"${value}"}}`) })
  }
  await Promise.all(Array.from({ length: 600 }, write))
}
await store.close()
const sound = readFileSync(join(folder.path, 'store/data.mdb'))

let made = 0
/** A copy of the store with a change, in a data folder of its own. */
function changed(change: (bytes: Buffer) => Buffer | undefined): { dataDir: string; path: string } {
  const dataDir = join(folder.path, `changed-${made++}`)
  mkdirSync(join(dataDir, 'store'), { recursive: true })
  const path = join(dataDir, 'store/data.mdb')
  const bytes = Buffer.from(sound)
  writeFileSync(path, change(bytes) ?? bytes)
  return { dataDir, path }
}
function damageOf(path: string): string | undefined {
  try {
    checkDataFile(path, Number.POSITIVE_INFINITY)
    return undefined
  } catch (error) {
    assert.instance(error, StorageError)
    assert.is((error as StorageError).kind, 'corrupt')
    assert.match((error as Error).message, /is damaged: .*orch storage restore/)
    return (error as Error).message
  }
}
/** Reads and writes stores in another process; it fails when a signal ends that. */
function mustNotEndBySignal(dataDirs: readonly string[]): void {
  const program = `
    import { verifyStore } from ${JSON.stringify(new URL('../maintenance.js', import.meta.url).href)}
    import { openLmdbStore } from ${JSON.stringify(new URL('./lmdb-storage.js', import.meta.url).href)}
    for (const dataDir of ${JSON.stringify(dataDirs)}) {
      console.log(dataDir)
      await verifyStore(dataDir).catch(() => {})
      try {
        const store = await openLmdbStore({ dataDir })
        await store.write({ key: '/new', body: Buffer.from('{"metadata":{"name":"x"}}') }).catch(() => {})
        await store.close()
      } catch {}
    }`
  const { signal, stdout, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program])
  assert.is(signal, null, `${String(stdout).trim().split('\n').at(-1)} ended the process by ${signal}`)
  assert.is(status, 0, String(stderr))
}

files('is not reported when the file grew after the first check and its writer was killed', async () => {
  const dataDir = join(folder.path, 'growing')
  const small = await openLmdbStore({ dataDir })
  await small.write({ key: '/things/first', body: Buffer.from('{"metadata":{"name":"first"}}') })
  await small.close()
  const path = join(dataDir, 'store/data.mdb')
  assert.ok(readFileSync(path).length < sound.length)
  // Another process commits between the first check and reading the first page.
  const readSync = fs.readSync
  fs.readSync = ((...given: Parameters<typeof fs.readSync>) => {
    fs.readSync = readSync
    syncBuiltinESMExports()
    writeFileSync(path, sound, { flag: 'r+' })
    return readSync(...given)
  }) as typeof fs.readSync
  syncBuiltinESMExports()
  assert.is(damageOf(path), undefined)
  assert.is(fs.readSync, readSync, 'nobody has read')
})

files('is not reported for an intact file, also while it is written to', async () => {
  checkDataFile(join(folder.path, 'store/data.mdb'), Number.POSITIVE_INFINITY)
  const busy = await openLmdbStore({ dataDir: folder.path })
  for (let round = 0; round < 30; round++) {
    const body = Buffer.from('{"metadata":{"name":"y"}}')
    const writing = Promise.all(Array.from({ length: 40 }, (_, index) => busy.write({ key: `/things/${index}`, body })))
    checkDataFile(join(folder.path, 'store/data.mdb'), Number.POSITIVE_INFINITY)
    await writing
  }
  await busy.close()
})

files('that is empty, a folder or something else is reported as such', () => {
  assert.match(String(damageOf(changed(() => Buffer.alloc(0)).path)), /it is empty/)
  assert.match(String(damageOf(changed(() => Buffer.from('hello')).path)), /truncated in its first page/)
  assert.match(String(damageOf(changed(() => Buffer.alloc(9000, 1)).path)), /not that of a store/)
  const { path } = changed(() => undefined)
  rmSync(path)
  mkdirSync(path)
  assert.match(String(damageOf(path)), /not a file/)
})

files('that is truncated anywhere is rejected or loses nothing', () => {
  const survivors: string[] = []
  const lengths = [1, 24, 100, 200, 4095, 4096, 4200, 8191, 8192]
  for (let length = 12_288; length < sound.length; length += 31 * pageSize) lengths.push(length, length + 1000)
  for (const length of lengths) {
    const { dataDir, path } = changed(() => undefined)
    truncateSync(path, length)
    if (damageOf(path) === undefined) survivors.push(dataDir)
  }
  assert.ok(survivors.length < lengths.length / 4, `${survivors.length} of ${lengths.length} were not noticed`)
  mustNotEndBySignal(survivors)
})

files('with pages of zeros or noise is rejected if the pages are in use, and crashes no process', () => {
  const survivors: string[] = []
  let noticed = 0
  for (let page = 0; page * pageSize < sound.length; page += 9) {
    for (const fill of [0, 0xa5]) {
      const { dataDir, path } = changed(bytes => bytes.fill(fill, page * pageSize, (page + 1) * pageSize))
      if (damageOf(path) === undefined) survivors.push(dataDir)
      else noticed++
    }
  }
  assert.ok(noticed > 10, `${noticed} were noticed`)
  mustNotEndBySignal(survivors)
})

files('with overwritten pages of a large value is rejected', () => {
  const isValue = (page: number) =>
    sound.readBigUInt64LE(page * pageSize) === BigInt(page) && sound.readUInt16LE(page * pageSize + 18) === 4
  const values = Array.from({ length: sound.length / pageSize }, (_, page) => page).filter(isValue)
  const told = values.slice(0, 8).map(page => {
    const { path } = changed(bytes => bytes.fill(0xa5, page * pageSize, (page + 1) * pageSize))
    return String(damageOf(path))
  })
  // Some of them are free pages that a value had.
  assert.ok(told.filter(text => text.includes('is not that of a value')).length > 1, told.join('\n'))
})

files('with a flipped byte in its first pages is rejected, or crashes no process', () => {
  const survivors: string[] = []
  for (const start of [0, pageSize]) {
    for (let at = 0; at < 168; at += at < 56 ? 1 : 3) {
      const { dataDir, path } = changed(bytes => void (bytes[start + at]! ^= 0xff))
      if (damageOf(path) === undefined) survivors.push(dataDir)
    }
  }
  mustNotEndBySignal(survivors)
})

files.run()
