import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sources } from './sources.js'
import { storeWriters } from './store-writers.js'

// Plugins need no rule here: `Store` is exported by `orch/sdk/host`, which the table of imports allows only for engines and offline tools.
const writers = suite('writers of the store')

writers('only one function of the kernel writes to the store: the end of the write path', () => {
  assert.equal(storeWriters(sources('kernel')), ['kernel/resources/commit.ts'])
})

const planted: Readonly<Record<string, string>> = {
  'a transaction': 'await services.store.transact(key, decide)',
  'a plain write': 'await this.#store.write({ key, body })',
  'a write through another name': 'await servedStore.write({ key, body })',
}
for (const [what, text] of Object.entries(planted)) {
  writers(`finds ${what} that is planted`, () => {
    assert.equal(storeWriters([{ path: 'kernel/resources/update.ts', text, isTest: false }]), [
      'kernel/resources/update.ts',
    ])
  })
}

writers('ignores layers of the store', () => {
  const text = 'class Traced extends ForwardingStore { write(write) { return this.inner.write(write) } }'
  assert.equal(storeWriters([{ path: 'kernel/resources/traced.ts', text, isTest: false }]), [])
})

writers.run()
