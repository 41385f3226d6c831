import { Kind } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ResourceType } from './resource-type.js'
import { RuntimeConfig } from './runtime-config.js'

const schema = Kind('test.v1.Thing', {})
const type = new ResourceType('any', {
  group: 'g.test',
  kind: 'Thing',
  resource: 'things',
  namespaced: true,
  versions: ['v1', 'v1beta1', 'v1alpha1'].map(name => ({ name, schema })),
})
const served = (pairs: Record<string, string>) => {
  const config = new RuntimeConfig(pairs)
  return type.served.filter(version => config.isServed(type, version)).map(version => version.name)
}

const runtime = suite('--runtime-config')

runtime('serves stable and beta versions, and alpha only when named', () => {
  assert.equal(served({}), ['v1', 'v1beta1'])
  assert.equal(served({ 'g.test/v1alpha1': '' }), ['v1', 'v1beta1', 'v1alpha1'])
  assert.equal(served({ 'api/alpha': 'true' }), ['v1', 'v1beta1', 'v1alpha1'])
})
runtime('turns versions and single resources off; the more specific key wins', () => {
  assert.equal(served({ 'g.test/v1beta1': 'false' }), ['v1'])
  assert.equal(served({ 'g.test/v1': 'false', 'g.test/v1/things': 'true' }), ['v1', 'v1beta1'])
  assert.equal(served({ 'api/all': 'false' }), [])
})
runtime('refuses a value that is neither true nor false', () => {
  assert.throws(() => new RuntimeConfig({ 'g.test/v1': 'maybe' }), /true or false/)
})

runtime.run()
