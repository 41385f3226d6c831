import type { PodSpec } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dropUnservedFields } from './unserved-fields.js'

const unserved = suite('fields that are not served')

unserved('disappear from every container, and nothing else does', () => {
  const container = (procMount?: string) => ({
    name: 'c',
    securityContext: { privileged: true, ...(procMount === undefined ? {} : { procMount }) },
  })
  const spec = {
    containers: [container('Unmasked'), { name: 'd' }],
    initContainers: [container('Default')],
    ephemeralContainers: [container('Unmasked')],
  } as unknown as PodSpec
  dropUnservedFields(spec)
  assert.equal(spec as unknown, {
    containers: [container(), { name: 'd' }],
    initContainers: [container()],
    ephemeralContainers: [container()],
  })
})

unserved.run()
