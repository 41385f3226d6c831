import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inFolder } from './boot-request.js'
import { runBinary, serveBinary } from './run-binary.js'

const storage = suite('orch storage')

const keysIn = (text: string) => Number(/(?:^keys +|(?:: |Restored ))(\d+)(?: keys|$)/m.exec(text)?.[1])

storage('shows, checks, backs up, compacts and restores a store, also next to a running server', () =>
  inFolder({}, async dir => {
    const server = await serveBinary(dir, '--secure-port=0')
    let keys = 0
    try {
      const stats = await runBinary(dir, 'storage', 'stats')
      assert.is(stats.err, '')
      assert.match(stats.out, /^open in processes +\d+$/m)
      keys = keysIn(stats.out)
      assert.ok(keys > 0, stats.out)
      const backup = await runBinary(dir, 'storage', 'backup', 'saved.mdb')
      assert.is(backup.code, 0, backup.err)
      assert.is(keysIn(backup.out), keys)
      assert.is((statSync(join(dir, 'saved.mdb')).mode & 0o777).toString(8), '600')
      const refused = await runBinary(dir, 'storage', 'restore', 'saved.mdb')
      assert.is(refused.code, 1)
      assert.match(refused.err, /^orch: stop the server first.*\n$/)
    } finally {
      await server.stop()
    }
    assert.match((await runBinary(dir, 'storage', 'verify')).out, /^The store is sound: /)
    assert.match((await runBinary(dir, 'storage', 'compact')).out, /^Removed \d+ history entries/)
    const restored = await runBinary(dir, 'storage', 'restore', 'saved.mdb')
    assert.is(restored.code, 0, restored.err)
    assert.is(keysIn(restored.out), keys)
    const again = await serveBinary(dir, '--secure-port=0')
    assert.is(await again.stop(), 0)
  }),
)

storage('finds the data folder by the config or by its flag, which needs no valid config', () =>
  inFolder(
    { 'orch.config.mjs': "export default { plugins: [], dataDir: 'elsewhere' }", 'broken.mjs': 'oops(' },
    async dir => {
      assert.match((await runBinary(dir, 'storage', 'stats')).err, /there is no store in elsewhere/)
      const { err } = await runBinary(dir, 'storage', 'stats', '--config=broken.mjs', '--data-dir=here')
      assert.match(err, /there is no store in here/)
      assert.is(existsSync(join(dir, 'here')), false)
    },
  ),
)

const refusals: Record<string, { words: string[]; line: RegExp }> = {
  'no action': { words: [], line: /needs one of stats, verify, backup, restore, compact/ },
  'an unknown action': { words: ['toString'], line: /needs one of stats/ },
  'a backup without a target': { words: ['backup', '--data-dir=data'], line: /storage backup needs a file/ },
  'an unknown flag': { words: ['stats', '--datadir=x'], line: /Unknown flag --datadir, did you mean --data-dir\?/ },
}
for (const [what, { words, line }] of Object.entries(refusals)) {
  storage(`stops at ${what} with one line and exit code 2`, () =>
    inFolder({}, async dir => {
      const { code, err } = await runBinary(dir, 'storage', ...words)
      assert.is(code, 2)
      assert.match(err, line)
      assert.is(err.trimEnd().split('\n').length, 1)
    }),
  )
}
storage.run()
