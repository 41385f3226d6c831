import type { Store, Write, WriteResult } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PendingWrites } from './pending-writes.js'

const pending = suite('pending writes')

pending('the changes of an object that never rests do not hold each other once they are answered', async () => {
  const answers: ((result: WriteResult) => void)[] = []
  const store = {
    chains: true,
    write: () => new Promise<WriteResult>(resolve => answers.push(resolve)),
  } as unknown as Store
  const writes = new PendingWrites()
  const first: Write = { key: '/a', body: undefined, expect: 1 }
  const second: Write = { key: '/a', body: undefined, after: first }
  const answered = [writes.begin(store, first, '1'), writes.begin(store, second, '1')]
  answers[0]!({ ok: true, revision: 2, body: undefined })
  await answered[0]
  assert.is(writes.find(store, '/a')?.write, second)
  assert.is(second.after, first, 'the store may not have looked at it yet')
  answers[1]!({ ok: true, revision: 3, body: undefined })
  await answered[1]
  assert.is(second.after, undefined)
  assert.is(writes.find(store, '/a'), undefined)
})

pending.run()
