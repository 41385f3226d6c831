import type { ResourceInfo } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ServedVersions } from './served-versions.js'

const info = (resource: string, ...servedVersions: string[]): ResourceInfo => ({
  group: 'acme.test',
  kind: resource,
  resource,
  namespaced: true,
  virtual: false,
  verbs: ['get'],
  version: servedVersions[0]!,
  servedVersions,
  subresources: [],
})
const namesOf = (served: ServedVersions) => [...served].map(({ group, version }) => `${group}/${version}`)

const versions = suite('served versions')

versions('are added with their first type and removed with their last', () => {
  const served = new ServedVersions([info('widgets', 'v1')])
  assert.is(served.change({ added: [info('planets', 'v1')], removed: [] }), false)
  assert.is(served.change({ added: [info('moons', 'v1', 'v2')], removed: [] }), true)
  assert.equal(namesOf(served), ['acme.test/v1', 'acme.test/v2'])
  assert.is(served.change({ added: [], removed: [info('widgets', 'v1')] }), false)
  assert.is(served.change({ added: [], removed: [info('moons', 'v1', 'v2')] }), true)
  assert.equal(namesOf(served), ['acme.test/v1'])
})

versions('stay when their only type is replaced', () => {
  const served = new ServedVersions([info('widgets', 'v1')])
  assert.is(served.change({ added: [info('widgets', 'v1')], removed: [info('widgets', 'v1')] }), false)
  assert.equal(namesOf(served), ['acme.test/v1'])
})

versions.run()
