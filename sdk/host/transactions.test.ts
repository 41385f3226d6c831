import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { conflict, notFound } from '../resource/api-errors.js'
import { type Decide, StorageError, type StoredObject, type Write, type WriteResult } from './storage.js'
import { type TransactionOptions, Transactions } from './transactions.js'

const nothing = Buffer.alloc(0)
const at = (modRevision: number): StoredObject => ({ key: '/a', modRevision, body: nothing, attributes: nothing })
const subject = { group: '', resource: 'things', name: 'a' }
const pause = () => new Promise<void>(resolve => setImmediate(resolve))

/** A store whose writes complete when the test releases them. */
class SlowStore {
  readonly writes: Write[] = []
  readonly answers: ((result: WriteResult) => void)[] = []
  revision = 1
  get(): StoredObject {
    return at(this.revision)
  }
  write(write: Write): Promise<WriteResult> {
    this.writes.push(write)
    return new Promise(resolve => this.answers.push(resolve))
  }
  commit(index: number): void {
    this.answers[index]!({ ok: true, revision: ++this.revision, body: this.writes[index]!.body })
  }
}
const change: Decide = () => ({ write: { body: Buffer.from('{}') } })

const turns = suite('writers of one key')

turns('decide in sequence, and those of other keys concurrently', async () => {
  const transactions = new Transactions()
  const store = {
    get: () => undefined,
    write: async (): Promise<WriteResult> => ({ ok: true, revision: 1, body: nothing }),
  }
  const log: string[] = []
  const run = (key: string, name: string) =>
    transactions.run(store, key, async () => {
      log.push(`${name} begins`)
      await pause()
      log.push(`${name} ends`)
      return {}
    })
  await Promise.all([run('k', 'a'), run('k', 'b'), run('other', 'c')])
  assert.ok(log.indexOf('a ends') < log.indexOf('b begins'))
  assert.ok(log.indexOf('c begins') < log.indexOf('a ends'))
})

turns('let the next one start when they wait for an external system, and when they fail', async () => {
  const transactions = new Transactions()
  const store = new SlowStore()
  const log: string[] = []
  const first = transactions.run(store, 'k', async ({ release }) => {
    release()
    await pause()
    await pause()
    log.push('first')
    throw new Error('no')
  })
  const second = transactions.run(store, 'k', () => {
    log.push('second')
    return {}
  })
  assert.is(await first.catch((error: Error) => error.message), 'no')
  await second
  assert.equal(log, ['second', 'first'])
})

turns.run()

const chains = suite('chained writes')

chains('the next writer builds on a pending write, on engines that support chaining', async () => {
  for (const supportsChainedWrites of [true, false]) {
    const transactions = new Transactions({ supportsChainedWrites })
    const store = new SlowStore()
    const first = transactions.run(store, '/a', change)
    const second = transactions.run(store, '/a', change)
    await pause()
    assert.is(store.writes.length, supportsChainedWrites ? 2 : 1)
    assert.is(store.writes[1]?.after, supportsChainedWrites ? store.writes[0] : undefined)
    store.commit(0)
    await first
    await pause()
    store.commit(1)
    assert.ok((await second).ok)
  }
})

chains('a rejection based on a state that was never committed is decided again', async () => {
  const transactions = new Transactions({ supportsChainedWrites: true })
  const store = new SlowStore()
  const first = transactions.run(store, '/a', () => ({ write: { body: Buffer.from('{}') }, isConditional: true }))
  const seen: boolean[] = []
  const second = transactions.run(store, '/a', ({ isCommitted }) => {
    seen.push(isCommitted)
    if (!isCommitted) throw conflict(subject, 'not this one')
    return {}
  })
  await pause()
  store.answers[0]!({ ok: false, current: at(7) })
  assert.not((await first).ok)
  assert.ok((await second).ok)
  assert.equal(seen, [false, true])
})

chains('completed writes do not retain each other', async () => {
  const transactions = new Transactions({ supportsChainedWrites: true })
  const store = new SlowStore()
  const both = [transactions.run(store, '/a', change), transactions.run(store, '/a', change)]
  await pause()
  store.commit(0)
  await both[0]
  assert.is(store.writes[1]!.after, store.writes[0], 'the store may not have looked at it yet')
  store.commit(1)
  await both[1]
  assert.is(store.writes[1]!.after, undefined)
})

chains('a writer gives up when others are always faster', async () => {
  let tries = 0
  const store = { get: () => at(1), write: async (): Promise<WriteResult> => ({ ok: false, current: at(++tries) }) }
  const result = await new Transactions().run(store, '/a', change)
  assert.not(result.ok)
  assert.is(tries, 20)
})
chains.run()

const guesses = suite('decisions on the local state of a key')

/** A store whose local state differs from that of other processes. */
async function decidedOn(
  states: { held?: number; newest?: number } & TransactionOptions,
  decide: (revision: number | undefined) => ReturnType<Decide>,
): Promise<{ on: number | undefined; asked: number; error?: unknown }> {
  let asked = 0
  let on: number | undefined
  const objectAt = (revision: number | undefined) => (revision === undefined ? undefined : at(revision))
  const store = {
    get: (_key: string, notOlderThan?: number) => {
      if (notOlderThan === 0) return objectAt(states.held)
      asked++
      return Promise.resolve(objectAt(states.newest))
    },
    write: async ({ expect }: Write): Promise<WriteResult> =>
      expect === states.newest
        ? { ok: true, revision: 9, body: nothing }
        : { ok: false, current: objectAt(states.newest) },
  }
  const { hasStaleReads = true } = states
  const running = new Transactions({ hasStaleReads }).run(store, '/a', ({ object }) => {
    on = object?.modRevision
    return decide(on)
  })
  const error = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { on, asked, error }
}
const write = () => ({ write: { body: nothing } })
const leave = () => ({})

guesses('a write is decided on the local state, and again on the state that made it fail', async () => {
  assert.equal(await decidedOn({ held: 5, newest: 5 }, write), { on: 5, asked: 0, error: undefined })
  assert.equal(await decidedOn({ held: 3, newest: 5 }, write), { on: 5, asked: 0, error: undefined })
})

guesses('a decision not to write is confirmed, and repeated if the state was stale', async () => {
  assert.equal(await decidedOn({ held: 5, newest: 5 }, leave), { on: 5, asked: 1, error: undefined })
  assert.equal(await decidedOn({ held: 3, newest: 5 }, leave), { on: 5, asked: 1, error: undefined })
})

guesses('a rejection is confirmed, and repeated if the state was stale', async () => {
  const refuseOld = (revision: number | undefined) => {
    if (revision === 3) throw conflict(subject, 'old')
    return write()
  }
  assert.is((await decidedOn({ held: 3, newest: 5 }, refuseOld)).on, 5)
  const refused = await decidedOn({ held: 3, newest: 3 }, refuseOld)
  assert.equal([(refused.error as { code: number }).code, refused.asked], [409, 1])
})

guesses('only the newest state shows that there is no object', async () => {
  const find = (revision: number | undefined) => {
    if (revision === undefined) throw notFound(subject)
    return leave()
  }
  assert.is((await decidedOn({ newest: 5 }, find)).on, 5)
  assert.is(((await decidedOn({ held: 3 }, find)).error as { code: number }).code, 404)
})

guesses('a failure of the store is not retried: the write may have happened', async () => {
  const failing = await decidedOn({ held: 3, newest: 5 }, () => {
    throw new StorageError('unavailable', 'no answer')
  })
  assert.instance(failing.error, StorageError)
  assert.is(failing.asked, 0)
})

guesses('engines whose reads are not stale are asked for the newest state', async () => {
  assert.equal(await decidedOn({ held: 3, newest: 5, hasStaleReads: false }, write), {
    on: 5,
    asked: 1,
    error: undefined,
  })
})
guesses.run()
