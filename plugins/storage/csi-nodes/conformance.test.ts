import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile } from '../testing/acme.js'
import { csiNodes } from './resource.js'
import type { CSINode } from './schema.js'

const conformance = suite('CSI nodes serve the whole API')

for (const { name, run } of resourceConformance<CSINode>({
  resource: csiNodes(acmeNames),
  vendor: acmeProfile,
  valid: () => ({ spec: { drivers: [{ name: 'csi.example.com', nodeID: 'north', topologyKeys: ['zone'] }] } }),
  invalid: {
    'a driver without a node': object => {
      object.spec.drivers = [{ name: 'csi.example.com', nodeID: '' }]
    },
  },
  update: object => {
    object.spec.drivers = []
  },
})) {
  conformance(name, run)
}

conformance.run()
