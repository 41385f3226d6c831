import { Kind } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ResourceType } from './resource-type.js'
import { isServedByDefault, RuntimeConfig, runtimeConfigProblems } from './runtime-config.js'

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
runtime('rejects values that are neither true nor false, and keys that match nothing', () => {
  const problems = (pairs: Record<string, string>) =>
    runtimeConfigProblems(pairs, [type.definition], ['p.test/v1alpha1'])
  assert.match(problems({ 'g.test/v1': 'maybe' }).join(), /true or false/)
  for (const key of ['api/all', 'api/beta', 'g.test/v1', 'g.test/v1beta1/things', 'p.test/v1alpha1'])
    assert.equal(problems({ [key]: 'false' }), [])
  assert.match(problems({ 'g.test/v2': 'true' }).join(), /no plugin brings "g.test\/v2", did you mean "g.test\/v1"/)
  for (const key of ['h.test/v1', 'g.test/v1/thing', 'api/every', 'things'])
    assert.is(problems({ [key]: '' }).length, 1)
})
runtime('keeps versions that are on by default available to the server itself', () => {
  const config = new RuntimeConfig({ 'api/all': 'false' })
  const own = new ResourceType('any', type.definition)
  own.serveOnly(
    version => config.isServed(own, version),
    version => isServedByDefault(own, version),
  )
  assert.equal(own.served, [])
  assert.equal(
    own.turnedOff.map(({ name }) => name),
    ['v1', 'v1beta1'],
  )
  assert.ok(own.versionForServer('v1') && !own.versionForServer('v1alpha1') && !own.servedVersion('v1'))
})

runtime.run()
