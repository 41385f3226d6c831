import type { PodSpec } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dropUnservedFields } from './unserved-fields.js'

const unserved = suite('fields that are not served')

unserved('disappear or get their usual value, and nothing else does', () => {
  const container = (procMount: string) => ({ name: 'c', securityContext: { privileged: true, procMount } })
  const spec = {
    os: { name: 'windows' },
    containers: [container('Unmasked'), { name: 'd' }],
    initContainers: [container('Default')],
    ephemeralContainers: [container('Unmasked')],
  } as unknown as PodSpec
  dropUnservedFields(spec)
  assert.equal(spec as unknown, {
    containers: [container('Default'), { name: 'd' }],
    initContainers: [container('Default')],
    ephemeralContainers: [container('Default')],
  })
})

unserved.run()
