import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin } from 'orch/sdk'
import { fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openLmdbStore } from '../storage/lmdb/lmdb-storage.js'
import { createKernel } from './create-kernel.js'

const started: string[] = []
const loop = definePlugin({
  name: 'loop',
  register(to) {
    to.controller({
      name: 'loop',
      async start() {
        started.push('loop')
        return async () => {}
      },
    })
    to.storage({ name: 'shared', isShared: true, open: options => openLmdbStore(options) })
  },
})

async function start(options: Record<string, unknown>): Promise<{ failure: string; warnings: string[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'orch-loops-'))
  const logger = fakeLogger()
  started.length = 0
  const kernel = await createKernel({ plugins: [loop], dataDir, securePort: 0, tls: false, ...options }, { logger })
  try {
    const failure = await kernel.start().then(
      () => '',
      (error: Error) => error.message,
    )
    return { failure, warnings: logger.lines.filter(({ level }) => level === 'warn').map(({ message }) => message) }
  } finally {
    await kernel.stop()
    rmSync(dataDir, { recursive: true })
  }
}

const inServer = suite('control loops inside a server without the type of the lease')

inServer('run if the store is not shared', async () => {
  assert.equal(await start({}), { failure: '', warnings: [] })
  assert.equal(started, ['loop'])
})
inServer('run with a warning if the store is shared', async () => {
  const { failure, warnings } = await start({ storageEngine: 'shared' })
  assert.is(failure, '')
  assert.match(warnings.join(), /leader election is not possible/)
  assert.equal(started, ['loop'])
  assert.equal(await start({ storageEngine: 'shared', leaderElect: false }), { failure: '', warnings: [] })
})
inServer('do not run if leader election was requested: the start fails and names the missing type', async () => {
  const { failure } = await start({ leaderElect: true })
  assert.match(failure, /ORCH_OPTION_INVALID: .*leaderElect: it needs the type leases\.coordination\.orch\.io\/v1/)
  assert.equal(started, [])
})

inServer.run()
