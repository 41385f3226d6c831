import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateApiService } from './validation.js'

const validation = suite('validation of API services')

const wrongNames = (metadata: { name?: string; generateName?: string }) =>
  validateApiService({
    metadata,
    spec: { group: 'a.test', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    status: {},
  }).map(({ field }) => field)

validation('the name and the prefix are the version and the group', () => {
  assert.equal(wrongNames({ name: 'v1.a.test', generateName: 'v1.a.test' }), [])
  assert.equal(wrongNames({ name: 'v2.a.test', generateName: 'v2.' }), ['metadata.generateName', 'metadata.name'])
})
validation('a name that cannot be part of a path is left to the kernel', () => {
  assert.equal(wrongNames({ name: 'a/b', generateName: 'a%' }), [])
})

validation.run()
