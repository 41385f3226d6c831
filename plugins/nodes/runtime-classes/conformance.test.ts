import { orchProfile, Vendor } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { nodeNames } from '../names.js'
import { runtimeClasses } from './resource.js'
import type { RuntimeClass } from './schema.js'

const vendor = { ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' }
const names = nodeNames(new Vendor(vendor))

const conformance = suite('runtime classes serve the whole API')

for (const { name, run } of resourceConformance<RuntimeClass>({
  resource: runtimeClasses(names),
  vendor,
  valid: () => ({ handler: 'sandbox' }),
  invalid: {
    'no handler': object => {
      object.handler = ''
    },
    'a handler that is no label': object => {
      object.handler = 'a.b'
    },
    'a negative overhead': object => {
      object.overhead = { podFixed: { cpu: '-1' } }
    },
  },
})) {
  conformance(name, run)
}

conformance.run()
