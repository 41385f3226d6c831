import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openLmdbStore } from '../../kernel/storage/lmdb/lmdb-storage.js'
import { runBinary, serveBinary } from '../boot/run-binary.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Real disks that are full or read-only: mounted in a mount namespace of this process, so that they disappear with it. */
const isInside = process.env['ORCH_TEST_MOUNTS'] === 'own'
if (!isInside) {
  const inOwnNamespace = (...words: string[]) =>
    spawnSync('unshare', ['--map-root-user', '--mount', ...words], {
      env: { ...process.env, ORCH_TEST_MOUNTS: 'own' },
      stdio: 'inherit',
    })
  if (inOwnNamespace('true').status !== 0) console.log('SKIP nothing can be mounted here')
  else process.exit(inOwnNamespace(process.execPath, fileURLToPath(import.meta.url)).status ?? 1)
} else await tryDisks()

async function tryDisks(): Promise<void> {
  const disks = suite('a disk that is full or read-only')
  const folder = temporaryFolder()
  const disk = join(folder.path, 'disk')
  const dataDir = join(disk, 'data')
  folder.write('orch.config.mjs', 'export default { plugins: [] }')
  mkdirSync(disk)
  const mount = (...options: string[]): void => void execFileSync('mount', options)
  const flags = ['--data-dir', dataDir, '--config', 'orch.config.mjs']
  const run = (...words: string[]) => runBinary(folder.path, ...words)
  /** Ends with one line that says what is wrong, and no signal. The store itself may have warned before that its disk is full. */
  const refused = async (says: RegExp, ...words: string[]) => {
    const { code, err } = await run(...words)
    assert.is(code, 1, `${words}: ${err}`)
    assert.match(err, says, words.join(' '))
    const lines = err
      .trim()
      .split('\n')
      .filter(line => !/^\S+Z (?:INFO|WARN) |^orch: new data is rejected until there is space/.test(line))
    assert.is(lines.length, 1, `${words}: ${err}`)
  }
  /** Leaves so many KiB free. */
  const fill = (free: number) => {
    const { bavail, bsize } = statfsSync(disk)
    appendFileSync(join(disk, 'fill'), Buffer.alloc(Math.max(0, bavail * bsize - free * 1024)))
  }
  const serveOnce = async () => {
    const server = await serveBinary(folder.path, ...flags, '--secure-port', '0')
    assert.is(await server.stop(), 0)
  }
  disks.before.each(() => mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk))
  // A store that was open in this process stays mapped for a while.
  disks.after.each(() => void execFileSync('umount', ['--lazy', disk]))
  disks.after(() => folder.remove())

  disks('without space for a new store: the start fails with one line, and works once there is space', async () => {
    for (const free of [0, 40, 64, 1024, 4096]) {
      fill(free)
      await refused(/no space left: .* needs .* MiB on the disk of .*, but only .* MiB are free/, 'serve', ...flags)
      if (free < 1024) assert.equal(readdirSync(disk), ['fill'], `${free} KiB`)
      rmSync(join(disk, 'fill'))
    }
    await serveOnce()
  })

  disks('that is full: a store can be inspected, backed up elsewhere and served, and nothing is lost', async () => {
    await serveOnce()
    const store = await openLmdbStore({ dataDir })
    for (let each = 0; each < 50; each++)
      await store.write({ key: `test/notes/${each}`, body: Buffer.from('{"metadata":{}}') })
    await store.close()
    fill(0)
    const before = readdirSync(dataDir).sort()
    const elsewhere = join(folder.path, 'saved')
    const storage = (...words: string[]) => ['storage', ...words, ...flags]
    for (const words of [['stats'], ['verify'], ['backup', `${elsewhere}.mdb`], ['export', `${elsewhere}.json`]]) {
      const { code, err } = await run(...storage(...words))
      assert.is(code, 0, `${words}: ${err}`)
    }
    for (const words of [['backup', join(disk, 'b.mdb')], ['compact'], ['restore', `${elsewhere}.mdb`]])
      await refused(/no space left: .* needs .* MiB on the disk of/, ...storage(...words))
    await refused(/ENOSPC.*Free space on that disk, or use another/, ...storage('export', join(disk, 'e.json')))
    await refused(/admin\.conf cannot be written: ENOSPC/, 'serve', ...flags, '--secure-port', '0')
    assert.equal([readdirSync(disk).sort(), readdirSync(dataDir).sort()], [['data', 'fill'], before])
    const { out } = await run(...storage('verify'))
    assert.match(out, /sound: 51 keys/)
  })

  disks('that is read-only, or has a read-only store file: one line with a remedy', async () => {
    await serveOnce()
    const file = join(dataDir, 'store', 'data.mdb')
    mount('--bind', file, file)
    mount('-o', 'remount,bind,ro', file)
    const storage = (word: string) => ['storage', word, ...flags]
    for (const words of [storage('stats'), storage('verify'), ['serve', ...flags]])
      await refused(/data\/store cannot be opened: Read-only file system.*Copy the data folder/, ...words)
    execFileSync('umount', [file])
    mount('-o', 'remount,ro', disk)
    for (const words of [storage('stats'), storage('compact'), ['serve', ...flags]])
      await refused(/data\/lock cannot be opened: Read-only file system.*Copy the data folder/, ...words)
    mount('-o', 'remount,rw', disk)
    await serveOnce()
  })

  disks.run()
}
