import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { limitRanges } from './resource.js'
import type { LimitRange } from './schema.js'

const conformance = suite('limit ranges serve the whole API')

for (const { name, run } of resourceConformance<LimitRange>({
  resource: limitRanges,
  valid: () => ({ spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }),
  invalid: {
    'an unknown type': object => {
      object.spec = { limits: [{ type: 'Bogus' }] }
    },
    'a minimum above the maximum': object => {
      object.spec = { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] }
    },
  },
})) {
  conformance(name, run)
}

conformance.run()
