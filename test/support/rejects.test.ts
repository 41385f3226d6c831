import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from './rejects.js'

const rejecting = suite('rejects')

rejecting('returns the error of a rejected promise', async () => {
  const error = await rejects(Promise.reject(new Error('no space left')), /space/)
  assert.is(error.message, 'no space left')
})

rejecting('fails when the promise is fulfilled', async () => {
  const error = await rejects(() => rejects(Promise.resolve(1)))
  assert.is(error.message, 'expected a rejection')
})

rejecting('fails when the message is another one', async () => {
  await rejects(() => rejects(Promise.reject(new Error('no space left')), /time/))
})

rejecting.run()
