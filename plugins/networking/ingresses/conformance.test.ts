import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile } from '../testing/acme.js'
import { ingresses } from './resource.js'
import type { Ingress } from './schema.js'

const conformance = suite('ingresses serve the whole API')

for (const { name, run } of resourceConformance<Ingress>({
  resource: ingresses(acmeNames),
  vendor: acmeProfile,
  valid: () => ({ spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } }),
  invalid: {
    'neither rules nor a default': object => {
      object.spec = {}
    },
    'an address for a name': object => {
      object.spec = { ...object.spec, rules: [{ host: '10.0.0.1' }] }
    },
  },
  update: object => {
    object.spec = { ...object.spec, rules: [{ host: 'a.example.com' }] }
  },
})) {
  conformance(name, run)
}

conformance.run()
