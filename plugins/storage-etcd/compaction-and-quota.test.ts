import { bodyPrefix, StorageError } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Compactor } from './compactor.js'
import { Connection, read } from './connection.js'
import { KeyLayout } from './key-layout.js'
import { headerRevision, methods } from './protocol.js'
import { isEtcdInstalled, startCluster } from './testing/etcd-cluster.js'
import { openPlace } from './testing/etcd-places.js'

const limits = suite('etcd and its limits')

if (isEtcdInstalled()) {
  limits('of several processes one compacts in each interval, to the revision of one interval ago', async () => {
    const etcd = await startCluster()
    const connection = new Connection(etcd.servers, {})
    const layout = new KeyLayout('/test/shared')
    const compacted: number[][] = [[], []]
    const warn = (message: string) => assert.unreachable(message)
    const compactors = compacted.map(
      done => new Compactor({ connection, layout, historyMs: 1e9, warn, compacted: revision => done.push(revision) }),
    )
    const newest: number[] = []
    try {
      const store = await openPlace(etcd.servers, { place: 'shared' })
      for (let interval = 0; interval < 6; interval++) {
        await store.write({ key: '/a', body: Buffer.from(`${bodyPrefix}"name":"${interval}"}}`) })
        // They take turns in being the first.
        for (const index of interval % 2 === 0 ? [0, 1] : [1, 0]) await compactors[index]!.step()
        newest.push(headerRevision(await read(connection, methods.range, { key: layout.mark })))
      }
      const all = compacted.flat().toSorted((one, other) => one - other)
      assert.equal(all, [...new Set(all)], 'no server compacts what another has compacted')
      assert.ok(all.length >= 4)
      assert.ok(all.at(-1)! <= newest.at(-2)!)
      assert.is(store.compactedRevision(), all.at(-1), 'others learn it by their watch')
      await store.close()
    } finally {
      for (const compactor of compactors) await compactor.stop()
      connection.close()
      await etcd.stop()
    }
  })

  limits('an exceeded quota rejects writes as full, and accepts deletes', async () => {
    const etcd = await startCluster({ arguments: ['--quota-backend-bytes', String(16 * 2 ** 20)] })
    try {
      const warnings: string[] = []
      const store = await openPlace(etcd.servers, { place: 'full' })
      const large = Buffer.from(`${bodyPrefix}"name":"${'x'.repeat(2 ** 20)}"}}`)
      let failure: unknown
      for (let number = 0; failure === undefined && number < 40; number++) {
        await store.write({ key: `/k${number}`, body: large }).catch((error: unknown) => (failure = error))
      }
      assert.ok(failure instanceof StorageError && failure.kind === 'full', String(failure))
      assert.is((await store.write({ key: '/k0', body: undefined, lastBody: large })).ok, true)
      assert.is(await store.get('/k0'), undefined)
      await store.close()
      const again = await openPlace(etcd.servers, { place: 'full', warn: message => warnings.push(message) })
      assert.match(warnings.join(), /quota is exceeded/)
      await again.close()
    } finally {
      await etcd.stop()
    }
  })

  limits('an object that etcd rejects for its size is too large', async () => {
    const etcd = await startCluster({ arguments: ['--max-request-bytes', '100000'] })
    try {
      const store = await openPlace(etcd.servers)
      const write = store.write({ key: '/a', body: Buffer.from(`${bodyPrefix}"name":"${'x'.repeat(200_000)}"}}`) })
      const failure = await write.catch((error: unknown) => error)
      assert.ok(failure instanceof StorageError && failure.kind === 'tooLarge', String(failure))
      await store.close()
    } finally {
      await etcd.stop()
    }
  })
} else {
  console.log('SKIP etcd is not installed')
}

limits.run()
