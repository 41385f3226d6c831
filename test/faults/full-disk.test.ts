import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyStore } from '../../kernel/storage/maintenance.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const fullDisk = suite('a full disk')
const limitBytes = 4 * 2 ** 20

// Part of util-linux; elsewhere there is no way to limit and unlimit a running process.
const hasLimits = spawnSync('prlimit', ['--version']).error === undefined
const withLimits = hasLimits ? fullDisk : fullDisk.skip

withLimits(
  'rejects writes with a clear error while reads still work, and accepts writes again when there is space',
  async () => {
    const folder = temporaryFolder()
    const program = fileURLToPath(new URL('./full-disk-writer.js', import.meta.url))
    const limited = [`--fsize=${limitBytes}:unlimited`, process.execPath, program, folder.path]
    // lmdb prints failed commits itself; they are expected here.
    const child = spawn('prlimit', limited, { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      const exited = once(child, 'exit')
      const facts = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const next = async () => JSON.parse((await facts.next()).value as string) as Record<string, unknown>
      const full = await next()
      assert.ok(Number(full['written']) > 100)
      assert.is(full['listed'], full['written'])
      assert.is(full['isReadable'], true)
      assert.is(full['refusedAgain'], true)
      execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited'])
      const recovered = await next()
      assert.is(recovered['revision'], Number(full['revision']) + 1)
      assert.is(recovered['listed'], Number(full['listed']) + 1)
      await exited
      assert.is(child.exitCode, 0)
      assert.equal((await verifyStore(folder.path)).problems, [])
    } finally {
      child.kill('SIGKILL')
      folder.remove()
    }
  },
)

fullDisk.run()
