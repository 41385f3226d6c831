import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { services } from './resource.js'
import type { Service } from './schema.js'

const conformance = suite('services serve the whole API')

for (const { name, run } of resourceConformance<Service>({
  resource: services,
  valid: () => ({ spec: { ports: [{ port: 80 }] } }),
  invalid: {
    'no ports': object => {
      object.spec = {}
    },
    'a port out of range': object => {
      object.spec = { ports: [{ port: 70_000 }] }
    },
  },
  update: object => {
    object.spec = { ...object.spec, selector: { app: 'a' } }
  },
})) {
  conformance(name, run)
}

conformance.run()
