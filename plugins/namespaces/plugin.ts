import { definePlugin, type FeatureGate } from 'orch/sdk'
import { namespaceAutoProvision } from './admission/namespace-auto-provision.js'
import { namespaceExists } from './admission/namespace-exists.js'
import { namespaceLifecycle } from './admission/namespace-lifecycle.js'
import { namespaceNames } from './names.js'
import { namespaces as namespaceResource } from './namespaces/resource.js'
import { namespaceController } from './removal/namespace-controller.js'
import { systemNamespaces } from './system-namespaces.js'

export { conformance } from './conformance.js'

const gates = {
  OrderedNamespaceDeletion: {
    stage: 'stable',
    description: 'The Pods of a deleted namespace are deleted before all other objects in it.',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>

export const namespaces = definePlugin({
  name: 'namespaces',
  gates,
  register(to, { vendor, isEnabled }) {
    const names = namespaceNames(vendor)
    to.resource(namespaceResource(names))
    // A missing namespace must be created before other controls check it.
    to.admission(namespaceAutoProvision, namespaceLifecycle(names), namespaceExists)
    to.controller(namespaceController(names, isEnabled('OrderedNamespaceDeletion')))
    to.onStart(systemNamespaces(names))
    to.healthCheck({ name: 'poststarthook/start-system-namespaces-controller', since: '1.27' })
  },
})
