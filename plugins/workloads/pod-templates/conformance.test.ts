import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { podTemplates } from './resource.js'
import type { PodTemplate } from './schema.js'

const conformance = suite('pod templates serve the whole API')

for (const { name, run } of resourceConformance<PodTemplate>({
  resource: podTemplates,
  valid: () => ({ template: { spec: { containers: [{ name: 'c', image: 'i' }] } } }),
  invalid: {
    'no container': object => {
      object.template = {}
    },
  },
})) {
  conformance(name, run)
}

conformance.run()
