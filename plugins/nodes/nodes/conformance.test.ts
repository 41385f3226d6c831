import { orchProfile, Vendor } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { nodeNames } from '../names.js'
import { nodes } from './resource.js'
import type { Node } from './schema.js'

const vendor = { ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' }
const names = nodeNames(new Vendor(vendor))

const conformance = suite('nodes serve the whole API')

for (const { name, run } of resourceConformance<Node>({
  resource: nodes(names),
  vendor,
  valid: () => ({ spec: { podCIDR: '10.1.0.0/24' } }),
  invalid: {
    'a taint without an effect': object => {
      object.spec = { taints: [{ key: 'a', effect: '' }] }
    },
    'a range that is none': object => {
      object.spec = { podCIDR: '10.1.0.0' }
    },
  },
  update: object => {
    object.spec = { ...object.spec, unschedulable: true }
  },
})) {
  conformance(name, run)
}

conformance.run()
