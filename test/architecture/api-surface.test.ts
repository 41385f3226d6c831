import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { apiSurfaceFile, describeApi, isStable } from './api-surface.js'

const surface = suite('the surface of the API')

surface('nothing disappears from a stable version, and what is new is written down (npm run api)', async () => {
  const committed = readFileSync(apiSurfaceFile, 'utf8').trim().split('\n')
  const served = await describeApi()
  const isServed = new Set(served)
  const isCommitted = new Set(committed)
  const gone = committed.filter(line => !isServed.has(line))
  assert.equal(gone.filter(isStable), [], 'a stable version keeps its operations and fields: SPEC.md, Versioning, 4')
  assert.equal([...gone, ...served.filter(line => !isCommitted.has(line))], [], 'run npm run api and review the change')
})

const lines: Record<string, boolean> = {
  'GET /api/v1/configmaps': true,
  'GET /apis/storage.orch.io/v1beta1/csistoragecapacities': false,
  'io.orch.api.core.v1.ConfigMap data map<string>': true,
  'io.orch.api.storage.v1beta1.CSIStorageCapacity capacity any': false,
  'GET /version/': false,
}
for (const [line, expected] of Object.entries(lines)) {
  surface(`${expected ? 'a stable' : 'no stable'} line: ${line}`, () => assert.is(isStable(line), expected))
}

surface.run()
