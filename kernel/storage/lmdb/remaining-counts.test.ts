import { setImmediate as nextTurn } from 'node:timers/promises'
import { bodyPrefix, type ListChunk } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../../test/support/temporary-folder.js'
import { openLmdbStore } from './lmdb-storage.js'

const counts = suite('how many keys follow a page')

const nameOf = (number: number) => String(number).padStart(3, '0')

for (const { what, isWritten } of [
  { what: 'is counted in turns', isWritten: false },
  { what: 'is that of the revision of the list, while objects come and go', isWritten: true },
])
  counts(what, async () => {
    const folder = temporaryFolder()
    const store = await openLmdbStore({ dataDir: folder.path, limits: { keysPerCount: 7, keysPerRead: 16 } })
    const put = (key: string) =>
      store.write({ key, body: Buffer.from(`${bodyPrefix}"name":"x"}}`), attributes: Buffer.alloc(0) })
    try {
      const names = Array.from({ length: 100 }, (_, number) => nameOf(number))
      await Promise.all(['/a/x', '/c/x', ...names.map(name => `/b/${name}`)].map(put))
      const page = await store.list({ prefix: '/b/', limit: 10 })
      const reading = (async () => {
        let last: ListChunk | undefined
        for await (const chunk of page.items) last = chunk
        return last
      })()
      let turns = 0
      let isRead = false
      void reading.then(() => (isRead = true))
      const writing = isWritten
        ? Promise.all([put('/b/0505'), put('/b/999'), store.write({ key: '/b/050', body: undefined })])
        : undefined
      while (!isRead) {
        turns++
        await nextTurn()
      }
      await writing
      const { lastKey, more, remaining } = (await reading)!
      assert.equal([lastKey, more, remaining], ['/b/009', true, 90])
      assert.ok(turns > 5, 'other requests had no turn while keys were counted')
    } finally {
      await store.close()
      folder.remove()
    }
  })

counts.run()
