import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../test/support/temporary-folder.js'
import { openLmdbStore } from './lmdb/lmdb-storage.js'
import { collectionsOf } from './versioned-store.js'

const collections = suite('collections of a store')

collections('are found without visiting every object, also those of unregistered types', async () => {
  const folder = temporaryFolder()
  const store = await openLmdbStore({ dataDir: folder.path })
  const body = Buffer.from('{"metadata":{}}')
  const keys = [
    '.store/contents',
    '/pods/n/a',
    '/pods/n/b',
    'apps.test/cats/x',
    'apps.test/catsup/x',
    'b.test/dogs/n/rex',
  ]
  for (const key of keys) await store.write({ key, body, expect: 0 })
  const found: string[] = []
  for await (const collection of collectionsOf(store)) found.push(collection)
  assert.equal(found, ['/pods', 'apps.test/cats', 'apps.test/catsup', 'b.test/dogs'])
  await store.close()
  folder.remove()
})

collections.run()
