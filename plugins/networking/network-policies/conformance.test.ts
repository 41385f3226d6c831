import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile } from '../testing/acme.js'
import { networkPolicies } from './resource.js'
import type { NetworkPolicy } from './schema.js'

const conformance = suite('network policies serve the whole API')

for (const { name, run } of resourceConformance<NetworkPolicy>({
  resource: networkPolicies(acmeNames),
  vendor: acmeProfile,
  valid: () => ({ spec: { podSelector: { matchLabels: { app: 'web' } } } }),
  invalid: {
    'a peer that is nobody': object => {
      object.spec = { podSelector: {}, ingress: [{ from: [{}] }] }
    },
    'a port beyond all ports': object => {
      object.spec = { podSelector: {}, egress: [{ ports: [{ port: 70000 }] }] }
    },
  },
  update: object => {
    object.spec = { podSelector: { matchLabels: { app: 'api' } } }
  },
})) {
  conformance(name, run)
}

conformance.run()
