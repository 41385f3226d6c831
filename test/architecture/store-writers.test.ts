import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sources } from './sources.js'
import { storeWriters } from './store-writers.js'

// Plugins need no rule here: `Store` stands behind `orch/sdk/host`, which the table of imports opens to engines and offline tools only.
const writers = suite('who writes to the store')

writers('one function of the kernel does: the tail of the write path', () => {
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

writers('leaves layers of the store alone', () => {
  const text = 'class Traced extends ForwardingStore { write(write) { return this.inner.write(write) } }'
  assert.equal(storeWriters([{ path: 'kernel/resources/traced.ts', text, isTest: false }]), [])
})

writers.run()
