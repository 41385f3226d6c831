import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

/** Native code of the store, servers with real clients and long connections, and Node options. `npm run test:nodes` runs more. */
const parts = ['kernel/storage/lmdb/lmdb-store', 'test/envtest/envtest', 'test/limits/keep-alive']
const root = fileURLToPath(new URL('../../..', import.meta.url))

const otherNodes = suite('other versions of Node')

for (const major of ['22', '24']) {
  otherNodes(`Node ${major} passes the tests that depend on Node`, () => {
    const words = ['tools/test-nodes.mjs', '--nodes', major, ...parts]
    // Half of the soak test runs on this Node.
    const env = { ...process.env, KEEP_ALIVE_SHARE: '0.1' }
    const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8', env })
    // Without a network, unless it was downloaded before.
    if (stderr.includes('npm cannot install')) return console.log(`\nSKIP npm brings no Node ${major}`)
    assert.match(stdout, `Node v${major}.`, stderr)
    assert.match(stdout.trimEnd(), /\n\d+ passed, 0 failed$/, stdout)
  })
}

otherNodes.run()
