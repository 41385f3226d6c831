import type { Secret } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeStringData } from './defaults.js'

const merging = suite('string data of secrets')

merging('is merged into data and removed', () => {
  const secret: Secret = { data: { k: 'b2xk', l: 'a2VlcA==' }, stringData: { k: 'new', n: 'x' } }
  mergeStringData(secret)
  assert.equal(secret, { data: { k: 'bmV3', l: 'a2VlcA==', n: 'eA==' } })
})

merging('does not change a secret without it', () => {
  const secret: Secret = { data: { k: 'b2xk' } }
  mergeStringData(secret)
  assert.equal(secret, { data: { k: 'b2xk' } })
})

merging('may have a key named __proto__', () => {
  const secret: Secret = JSON.parse('{"stringData":{"__proto__":"x"}}')
  mergeStringData(secret)
  assert.equal(Object.entries(secret.data ?? {}), [['__proto__', 'eA==']])
})

merging.run()
