import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { batchesOf } from './batches.js'

const batches = suite('batches of test files')

batches('hold small files below one folder, and every file once', () => {
  const small = Array.from({ length: 47 }, (_, at) => `kernel/part${at % 3}/a${at}.test.js`)
  const alone = ['test/golden/golden.test.js', 'test/e2e/kubectl.test.js', 'plugins/x/memory-of-x.test.js']
  const others = [
    'orchctl/a.test.js',
    'orchctl/output/b.test.js',
    'plugins/workloads/a.test.js',
    'plugins/storage-memory/memory-store.test.js',
  ]
  const all = [...alone, ...small, 'sdk/b.test.js', ...others]
  const found = batchesOf(all)
  assert.equal(
    found.map(batch => batch.length),
    [1, 1, 1, 45, 2, 1, 2, 2],
  )
  assert.equal(found.flat().sort(), all.sort())
})

batches.run()
