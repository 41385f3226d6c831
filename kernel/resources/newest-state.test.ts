import { conflict, notFound } from 'orch/sdk'
import { StorageError, type Store, type StoredObject } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Decision, decideByNewest } from './newest-state.js'

const decisions = suite('decisions by the newest state')

const nothing = Buffer.alloc(0)
const at = (modRevision: number): StoredObject => ({ key: '/a', modRevision, body: nothing, attributes: nothing })
const subject = { group: '', resource: 'things', name: 'a' }

interface Told extends Decision {
  readonly by: number | undefined
}
/** A store of which this process has one state, and others another. */
function decidedWith(
  states: { held?: number; newest?: number; lags?: boolean; mayGuess?: boolean },
  decide: (revision: number | undefined) => Told,
): { told: Promise<Told>; asked: () => number } {
  let asked = 0
  const objectAt = (revision: number | undefined) => (revision === undefined ? undefined : at(revision))
  const store = {
    lags: states.lags ?? true,
    get: (_key: string, notOlderThan?: number) => {
      if (notOlderThan === 0) return objectAt(states.held)
      asked++
      return Promise.resolve(objectAt(states.newest))
    },
  } as unknown as Store
  const told = decideByNewest(store, '/a', async found => decide(found?.modRevision), states.mayGuess)
  return { told, asked: () => asked }
}
const write = (by: number | undefined): Told => ({ by, isGuarded: true })
const nothingToDo = (by: number | undefined): Told => ({ by, isGuarded: false })

decisions('a guarded write is made from what this process has, and nobody is asked', async () => {
  const { told, asked } = decidedWith({ held: 3, newest: 5 }, write)
  assert.equal([(await told).by, asked()], [3, 0])
})

decisions('that there is nothing to do is confirmed, and decided again when the state was old', async () => {
  const confirmed = decidedWith({ held: 5, newest: 5 }, nothingToDo)
  assert.equal([(await confirmed.told).by, confirmed.asked()], [5, 1])
  const old = decidedWith({ held: 3, newest: 5 }, nothingToDo)
  assert.equal([(await old.told).by, old.asked()], [5, 1])
})

decisions('a refusal is confirmed, and decided again when the state was old', async () => {
  const refuseOld = (by: number | undefined) => {
    if (by === 3) throw conflict(subject, 'old')
    return write(by)
  }
  assert.is((await decidedWith({ held: 3, newest: 5 }, refuseOld).told).by, 5)
  const refused = decidedWith({ held: 3, newest: 3 }, refuseOld)
  assert.is(await refused.told.catch((error: { code: number }) => error.code), 409)
  assert.is(refused.asked(), 1)
})

decisions('that there is no object is said by the newest state only', async () => {
  const find = (by: number | undefined) => {
    if (by === undefined) throw notFound(subject)
    return write(by)
  }
  assert.is((await decidedWith({ newest: 5 }, find).told).by, 5)
  const gone = await decidedWith({ held: 3 }, by => (by === undefined ? find(by) : nothingToDo(by))).told.catch(
    (error: { code: number }) => error.code,
  )
  assert.is(gone, 404)
})

decisions('a failure of the store is not decided again: the write may have happened', async () => {
  const failing = decidedWith({ held: 3, newest: 5 }, () => {
    throw new StorageError('unavailable', 'no answer')
  })
  assert.instance(await failing.told.catch((error: unknown) => error), StorageError)
  assert.is(failing.asked(), 0)
})

decisions('the newest state is asked for where reads do not lag, and after a lost race', async () => {
  assert.is((await decidedWith({ held: 3, newest: 5, lags: false }, write).told).by, 5)
  assert.is((await decidedWith({ held: 3, newest: 5, mayGuess: false }, write).told).by, 5)
})

decisions.run()
