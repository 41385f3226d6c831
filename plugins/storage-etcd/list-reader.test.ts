import { bodyPrefix, type ListRequest, type Store } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isEtcdInstalled, startCluster } from './testing/etcd-cluster.js'
import { openPlace } from './testing/etcd-places.js'

const lists = suite('lists of etcd, page by page')
const mebibyte = 2 ** 20
/** More than etcd may send in one message. */
const maxPageBytes = 4 * mebibyte

const body = (length: number) => Buffer.from(`${bodyPrefix}"text":"${'x'.repeat(length)}"}}`)
const write = async (store: Store, prefix: string, count: number, length: number) => {
  for (let i = 0; i < count; i++)
    assert.ok((await store.write({ key: `${prefix}${String(i).padStart(5, '0')}`, body: body(length), expect: 0 })).ok)
}
/** Sizes and counts of the chunks of a list. */
async function chunksOf(store: Store, request: ListRequest): Promise<{ bytes: number; count: number }[]> {
  const chunks = []
  for await (const { joined, count } of (await store.list(request)).items) chunks.push({ bytes: joined.length, count })
  return chunks
}
const total = (chunks: readonly { count: number }[]) => chunks.reduce((sum, { count }) => sum + count, 0)
const largest = (chunks: readonly { bytes: number }[]) => chunks.reduce((most, { bytes }) => Math.max(most, bytes), 0)

if (isEtcdInstalled()) {
  const etcd = await startCluster()
  lists.after(() => etcd.stop())
  const withStore = async (use: (store: Store) => Promise<void>) => {
    const store = await openPlace(etcd.servers, { replica: false })
    try {
      await use(store)
    } finally {
      await store.close()
    }
  }

  lists('no page is larger than a few mebibytes, although the size of the objects is unknown', () =>
    withStore(async store => {
      await write(store, '/large/', 12, mebibyte)
      for (const request of [{ prefix: '/large/' }, { prefix: '/large/', limit: 10 }, { prefix: '/large' }]) {
        const chunks = await chunksOf(store, request)
        assert.is(total(chunks), request.limit ?? 12)
        assert.ok(largest(chunks) <= maxPageBytes, `${largest(chunks)} bytes`)
      }
    }),
  )
  lists('nor is it when large objects follow many small ones', () =>
    withStore(async store => {
      await write(store, '/mixed/a', 200, 10)
      await write(store, '/mixed/b', 12, mebibyte)
      for (let time = 0; time < 4; time++) {
        const chunks = await chunksOf(store, { prefix: '/mixed/' })
        assert.is(total(chunks), 212)
        assert.ok(largest(chunks) <= maxPageBytes, `${largest(chunks)} bytes`)
        // It learns from others that the collection has small objects.
        await chunksOf(store, { prefix: '/mixed/', limit: 1 })
      }
    }),
  )
  lists('small objects soon come by the hundred', () =>
    withStore(async store => {
      await write(store, '/small/', 400, 10)
      await chunksOf(store, { prefix: '/small/' })
      const chunks = await chunksOf(store, { prefix: '/small/' })
      assert.equal(chunks.length, 1, JSON.stringify(chunks))
    }),
  )
} else console.log('SKIP etcd is not installed')

lists.run()
