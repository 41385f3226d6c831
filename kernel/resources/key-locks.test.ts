import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { KeyLocks } from './key-locks.js'

const pause = () => new Promise(resolve => setImmediate(resolve))

const locks = suite('key locks')

locks('work on one key runs one after another, in order', async () => {
  const keys = new KeyLocks()
  const log: string[] = []
  const work = (name: string) =>
    keys.run('k', async () => {
      log.push(`${name} begins`)
      await pause()
      log.push(`${name} ends`)
    })
  await Promise.all([work('a'), work('b'), work('c')])
  assert.equal(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})
locks('work may let the next one in before it is done', async () => {
  const keys = new KeyLocks()
  const log: string[] = []
  const first = keys.run('k', async release => {
    log.push('a begins')
    release()
    await pause()
    await pause()
    log.push('a ends')
  })
  const second = keys.run('k', async () => {
    log.push('b begins')
    await pause()
  })
  const third = keys.run('k', async () => void log.push('c begins'))
  await Promise.all([first, second, third])
  assert.equal(log.slice(0, 2), ['a begins', 'b begins'])
  assert.ok(log.indexOf('c begins') > log.indexOf('b begins'))
})
locks('work on different keys runs side by side', async () => {
  const keys = new KeyLocks()
  let running = 0
  let most = 0
  const work = (key: string) =>
    keys.run(key, async () => {
      most = Math.max(most, ++running)
      await pause()
      running--
    })
  await Promise.all([work('a'), work('b')])
  assert.is(most, 2)
})
locks('work that fails lets the next one in and reports its failure', async () => {
  const keys = new KeyLocks()
  const failing = keys.run('k', () => Promise.reject(new Error('no')))
  const next = keys.run('k', async () => 'done')
  assert.is(await failing.catch((error: Error) => error.message), 'no')
  assert.is(await next, 'done')
})

locks.run()
