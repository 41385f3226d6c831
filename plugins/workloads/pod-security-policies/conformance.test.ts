import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { podSecurityPolicies } from './resource.js'
import type { PodSecurityPolicy } from './schema.js'

const any = { rule: 'RunAsAny' }
const spec = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any }

const conformance = suite('pod security policies serve the whole API')

for (const { name, run } of resourceConformance<PodSecurityPolicy>({
  resource: podSecurityPolicies,
  valid: () => ({ spec }),
  invalid: {
    'an unknown rule': object => {
      object.spec = { ...spec, runAsUser: { rule: 'Bogus' } }
    },
    'an unknown volume source': object => {
      object.spec = { ...spec, volumes: ['bogus'] }
    },
  },
})) {
  conformance(name, run)
}

conformance.run()
