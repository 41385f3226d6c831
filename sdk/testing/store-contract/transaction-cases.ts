import assert from 'node:assert/strict'
import type { Decide, KeyState, Store } from '../../host/storage.js'
import { conflict } from '../../resource/api-errors.js'
import { bodyFor, type ContractCases, create, listAll } from './steps.js'

const nameIn = ({ object }: KeyState): string =>
  object ? (JSON.parse(object.body.toString()) as { metadata: { name: string } }).metadata.name : ''
const storedName = async (store: Store, key: string): Promise<string> =>
  nameIn({ object: await store.get(key), isCommitted: true, release() {} })
const write =
  (name: string): Decide =>
  () => ({ write: { body: bodyFor(name) } })
const next = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

export const transactionCases: ContractCases = {
  async 'concurrent changes of one key are all made, in sequence'(store) {
    await create(store, '/a')
    const append = (text: string) =>
      store.transact('/a', async state => {
        await next()
        return { write: { body: bodyFor(nameIn(state) + text) } }
      })
    const results = await Promise.all([append('1'), append('2'), append('3'), append('4')])
    assert.ok(results.every(({ ok }) => ok))
    const name = await storedName(store, '/a')
    assert.deepEqual([...name.slice(-4)].toSorted(), ['1', '2', '3', '4'])
  },
  async 'a transaction returns what it wrote'(store) {
    const result = await store.transact('/a', write('new'))
    assert.ok(result.ok && result.isWritten)
    const found = await store.get('/a')
    assert.deepEqual([found?.modRevision, found?.body], [result.revision, result.body])
  },
  async 'a transaction without a write leaves the key unchanged and returns it'(store) {
    const revision = await create(store, '/a')
    const result = await store.transact('/a', () => ({}))
    assert.ok(result.ok && !result.isWritten)
    assert.deepEqual([result.revision, result.body], [revision, (await store.get('/a'))?.body])
  },
  async 'a transaction that throws leaves the key unchanged, and the next one runs'(store) {
    await create(store, '/a')
    const refuse = () => {
      throw conflict({ group: '', resource: 'things', name: 'a' }, 'no')
    }
    await assert.rejects(store.transact('/a', refuse), { code: 409 })
    assert.ok((await store.transact('/a', write('second'))).ok)
    assert.equal(await storedName(store, '/a'), 'second')
  },
  async 'a key that changed meanwhile is decided again, or, for a conditional change, not written'(store) {
    await create(store, '/a')
    const names: string[] = []
    const racing = (isConditional: boolean): Decide => {
      let isFirst = true
      return async state => {
        names.push(nameIn(state))
        if (isFirst) await store.write({ key: '/a', body: bodyFor('faster') })
        isFirst = false
        return { write: { body: bodyFor('slower') }, isConditional }
      }
    }
    const lost = await store.transact('/a', racing(true))
    assert.equal(lost.ok, false)
    assert.equal(await storedName(store, '/a'), 'faster')
    names.length = 0
    assert.ok((await store.transact('/a', racing(false))).ok)
    assert.deepEqual(names, ['faster', 'faster'])
    assert.equal(await storedName(store, '/a'), 'slower')
  },
  async 'a key to be created must not exist'(store) {
    const creating = (name: string) => store.transact('/a', write(name), { expect: 0 })
    assert.ok((await creating('first')).ok)
    const refused = await creating('second')
    assert.equal(refused.ok, false)
    assert.equal(await storedName(store, '/a'), 'first')
  },
  async 'a removal may follow a change, and both are events'(store) {
    await create(store, '/a')
    const events: string[] = []
    const stop = store.subscribe(batch => events.push(...batch.map(({ type }) => type)))
    const result = await store.transact('/a', () => ({
      write: { body: bodyFor('marked') },
      followedBy: { body: undefined },
    }))
    stop()
    assert.ok(result.ok)
    assert.equal(result.body?.includes('marked'), true)
    assert.deepEqual(events, ['update', 'delete'])
    assert.equal(await store.get('/a'), undefined)
  },
  async 'a writer that needs a committed state gets one, however many writes are pending'(store) {
    await create(store, '/a')
    const seen: boolean[] = []
    const writes = Array.from({ length: 8 }, (_, i) => store.transact('/a', write(`write ${i}`)))
    const reading = store.transact('/a', state => {
      seen.push(state.isCommitted)
      return state.isCommitted ? {} : { waitsForCommit: true }
    })
    await Promise.all([...writes, reading])
    assert.equal(seen.at(-1), true)
    assert.equal(await storedName(store, '/a'), 'write 7')
  },
  async 'a writer that waits for an external system may let the next one start'(store) {
    await create(store, '/a')
    let isFirst = true
    const first = store.transact('/a', async state => {
      if (!isFirst) return { write: { body: bodyFor('first') } }
      isFirst = false
      state.release()
      await store.transact('/a', write('second'))
      return { write: { body: bodyFor('lost') } }
    })
    assert.ok((await first).ok)
    assert.equal(await storedName(store, '/a'), 'first')
  },
  async 'no writer starves, however many there are'(store) {
    const [writers, rounds] = [32, 8]
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let round = 0; round < rounds; round++) {
          for (let i = 0; i < writer % 4; i++) await next()
          await store.writeTurn()
          const result = await store.transact(`/${writer}-${round}`, write('x'), { expect: 0 })
          assert.ok(result.ok)
        }
      }),
    )
    assert.equal((await listAll(store, '/')).length, writers * rounds)
  },
}
