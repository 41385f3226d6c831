import { services, serviceToken } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Registry } from '../registry/registry.js'
import { serverOnlyLoops } from './server-only.js'

const bound = suite('loops that only a server can run')

bound('are those that need its store or its authorizers, directly or through a service of a plugin', () => {
  const registry = new Registry()
  const [books, shelf, paper] = ['books', 'shelf', 'paper'].map(name => serviceToken<object>(name)) as [
    symbol,
    symbol,
    symbol,
  ]
  const start = () => async () => {}
  const to = registry.registrarFor('library')
  to.service({ token: shelf, needs: { reader: services.reader }, create: () => ({}) })
  to.service({ token: books, needs: { shelf }, create: () => ({}) })
  to.service({ token: paper, needs: { server: services.server }, create: () => ({}) })
  to.controller(
    { name: 'free', needs: { client: services.client, caches: services.caches, paper }, start },
    { name: 'judging', needs: { authorizer: services.authorizer }, start },
    { name: 'reading', needs: { client: services.client, books }, start },
    { name: 'plain', start },
  )
  assert.equal(
    [...serverOnlyLoops(registry)],
    [
      ['judging', 'authorizer'],
      ['reading', 'reader'],
    ],
  )
})

bound.run()
