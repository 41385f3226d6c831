import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { endpoints } from './resource.js'
import type { Endpoints } from './schema.js'

const conformance = suite('endpoints serve the whole API')

for (const { name, run } of resourceConformance<Endpoints>({
  resource: endpoints,
  valid: () => ({ subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] }),
  invalid: {
    'a loopback address': object => {
      object.subsets = [{ addresses: [{ ip: '127.0.0.1' }] }]
    },
    'no addresses': object => {
      object.subsets = [{ ports: [{ port: 80 }] }]
    },
  },
})) {
  conformance(name, run)
}

conformance.run()
