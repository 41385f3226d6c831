import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile } from '../testing/acme.js'
import { ingressClasses } from './resource.js'
import type { IngressClass } from './schema.js'

const conformance = suite('ingress classes serve the whole API')

for (const { name, run } of resourceConformance<IngressClass>({
  resource: ingressClasses(acmeNames),
  vendor: acmeProfile,
  valid: () => ({ spec: { controller: 'example.com/controller' } }),
  invalid: {
    'a controller without a domain': object => {
      object.spec = { controller: 'controller' }
    },
    'parameters of no kind': object => {
      object.spec = { controller: 'example.com/c', parameters: { kind: '', name: 'a' } }
    },
  },
  update: object => {
    object.spec = { ...object.spec, parameters: { kind: 'Settings', name: 'a' } }
  },
})) {
  conformance(name, run)
}

conformance.run()
