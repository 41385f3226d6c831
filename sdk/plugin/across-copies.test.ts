import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ConnectionError } from '../client/error-answers.js'
import { ApiError, notFound } from '../resource/api-errors.js'
import { definePlugin, sdkVersion, sdkVersionOf } from './plugin.js'
import { serviceToken } from './service-token.js'
import { services } from './services.js'

const copies = suite('two copies of the sdk in one process')

/** The same modules once more, as another package would bring them. */
const load = <T>(path: string): Promise<T> => import(`${path}?copy`)
const other = {
  ...(await load<typeof import('../resource/api-errors.js')>('../resource/api-errors.js')),
  ...(await load<typeof import('./services.js')>('./services.js')),
  ...(await load<typeof import('./service-token.js')>('./service-token.js')),
  ...(await load<typeof import('./plugin.js')>('./plugin.js')),
}
const subject = { group: '', resource: 'things', name: 'x' }

copies('recognise the errors of each other', () => {
  assert.is.not(other.ApiError, ApiError)
  assert.ok(other.notFound(subject) instanceof ApiError)
  assert.ok(notFound(subject) instanceof other.ApiError)
  assert.not.ok(new Error('x') instanceof ApiError)
  for (const value of [null, undefined, 'x', {}, Object.create(null)])
    assert.not.ok((value as object) instanceof ApiError)
})

copies('distinguish a class from its base class', () => {
  class Mine extends ApiError {}
  const mine = new Mine(400, 'BadRequest', 'x')
  assert.ok(mine instanceof Mine && mine instanceof ApiError && mine instanceof Error)
  assert.not.ok(notFound(subject) instanceof Mine)
  assert.not.ok(notFound(subject) instanceof ConnectionError)
  assert.ok(new ConnectionError('x') instanceof other.ApiError)
})

copies('share their tokens, and their plugins carry the version of their copy', () => {
  assert.is(other.services.clock, services.clock)
  assert.is(other.serviceToken('wishes.granter'), serviceToken('wishes.granter'))
  assert.is.not(serviceToken('a'), serviceToken('b'))
  assert.is(sdkVersionOf(other.definePlugin({ name: 'a', register() {} })), sdkVersion)
  assert.is(sdkVersionOf(definePlugin({ name: 'a', register() {} })()), sdkVersion)
})

copies.run()
