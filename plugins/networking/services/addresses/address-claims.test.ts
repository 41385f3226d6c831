import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AddressClaims } from './address-claims.js'

const claims = suite('claims of addresses')

claims('are granted to the first request, until they expire', () => {
  let now = 0
  const server = new AddressClaims({ now: () => now })
  assert.is(server.take({ names: ['10.0.0.1'], owner: 'a' }), undefined)
  assert.is(server.take({ names: ['10.0.0.1'], owner: 'b' }), '10.0.0.1')
  now = 60_000
  assert.is(server.take({ names: ['10.0.0.1'], owner: 'b' }), undefined)
})

claims('are granted all together or not at all', () => {
  const server = new AddressClaims({ now: () => 0 })
  server.take({ names: ['one'], owner: 'a' })
  assert.is(server.take({ names: ['two', 'one'], owner: 'b' }), 'one')
  assert.is(server.take({ names: ['two'], owner: 'c' }), undefined)
})

claims('may be claimed again by their holder, as a retried request does', () => {
  const server = new AddressClaims({ now: () => 0 })
  server.take({ names: ['one'], owner: 'a' })
  assert.is(server.take({ names: ['one', 'two'], owner: 'a' }), undefined)
})

claims('are released immediately when their owner is deleted, even if its name was generated after the claim', () => {
  const server = new AddressClaims({ now: () => 0 })
  server.take({ names: ['one', 'two'], owner: 'town/a' })
  server.release({ names: ['one', 'two'], owner: 'town/a' })
  assert.is(server.take({ names: ['one'], owner: 'town/b' }), undefined)
  server.take({ names: ['three'], owner: 'random' })
  server.adopt({ names: ['three'], owner: 'town/web-x7k2p' })
  server.release({ names: ['three'], owner: 'town/web-x7k2p' })
  assert.is(server.take({ names: ['three'], owner: 'town/b' }), undefined)
})

claims('are kept by their current holder', () => {
  const server = new AddressClaims({ now: () => 0 })
  server.take({ names: ['one'], owner: 'town/b' })
  server.release({ names: ['one'], owner: 'town/a' })
  assert.is(server.take({ names: ['one'], owner: 'town/c' }), 'one')
})

claims.run()
