import { definePlugin } from 'orch/sdk'
import { namespaceAutoProvision } from './admission/namespace-auto-provision.js'
import { namespaceExists } from './admission/namespace-exists.js'
import { namespaceLifecycle } from './admission/namespace-lifecycle.js'
import { namespaceNames } from './names.js'
import { namespaces as namespaceResource } from './namespaces/resource.js'
import { namespaceController } from './removal/namespace-controller.js'
import { systemNamespaces } from './system-namespaces.js'

export { conformance } from './conformance.js'

export const namespaces = definePlugin({
  name: 'namespaces',
  register(to, { vendor }) {
    const names = namespaceNames(vendor)
    to.resource(namespaceResource(names))
    // A missing namespace must be provided before anything asks for it.
    to.admission(namespaceAutoProvision, namespaceLifecycle(names), namespaceExists)
    to.controller(namespaceController(names))
    to.onStart(systemNamespaces(names))
  },
})
