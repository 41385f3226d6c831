import type { Pod } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { pods } from './resource.js'

const conformance = suite('pods serve the whole API')

for (const { name, run } of resourceConformance<Pod>({
  resource: pods,
  valid: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }),
  invalid: {
    'no container': object => {
      object.spec.containers = []
    },
    'a volume without a source': object => {
      object.spec.volumes = [{ name: 'v' }]
    },
  },
  update: object => {
    object.spec.containers = [{ ...object.spec.containers[0]!, image: 'other' }]
  },
})) {
  conformance(name, run)
}

conformance.run()
