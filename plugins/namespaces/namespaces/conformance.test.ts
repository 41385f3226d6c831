import { orchProfile, Vendor } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { namespaceNames } from '../names.js'
import { namespaces as plugin } from '../plugin.js'
import { namespaces } from './resource.js'
import type { Namespace } from './schema.js'

const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test' }
const conformance = suite('conformance of namespaces')

for (const { name, run } of resourceConformance<Namespace>({
  resource: namespaces(namespaceNames(new Vendor(vendor))),
  plugins: [plugin],
  isRegistered: true,
  vendor,
  valid: () => ({}),
  invalid: {
    'a finalizer that nobody knows': namespace => {
      namespace.spec = { finalizers: ['unknown'] }
    },
  },
}))
  conformance(name, run)

conformance.run()
