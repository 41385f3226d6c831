import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { committedApi, describeApi, isStable } from './api-surface.js'

const surface = suite('the surface of the API')

surface('nothing disappears from a stable version, and additions are recorded (npm run api)', async () => {
  const committed = committedApi()
  const served = await describeApi()
  const isServed = new Set(served)
  const isCommitted = new Set(committed)
  const gone = committed.filter(entry => !isServed.has(entry))
  assert.equal(gone.filter(isStable), [], 'a stable version keeps its operations and fields: SPEC.md, Versioning, 4')
  assert.equal(
    [...gone, ...served.filter(entry => !isCommitted.has(entry))],
    [],
    'run npm run api and review the change',
  )
})

const entries: Record<string, boolean> = {
  '/api/v1/configmaps GET': true,
  '/apis/storage.orch.io/v1beta1/csistoragecapacities GET': false,
  'io.orch.api.core.v1.ConfigMap data map<string>': true,
  'io.orch.api.storage.v1beta1.CSIStorageCapacity capacity any': false,
  '/version/ GET': false,
}
for (const [entry, expected] of Object.entries(entries)) {
  surface(`${expected ? 'a stable' : 'no stable'} entry: ${entry}`, () => assert.is(isStable(entry), expected))
}

surface.run()
