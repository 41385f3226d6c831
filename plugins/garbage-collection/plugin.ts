import { definePlugin } from 'orch/sdk'
import { ownerReferencesPermissionEnforcement } from './admission/owner-references-permission-enforcement.js'
import { garbageCollector } from './collection/garbage-collector.js'
import { garbageCollectionNames } from './names.js'

export { conformance } from './conformance.js'

export const garbageCollection = definePlugin({
  name: 'garbage-collection',
  register(to, { vendor }) {
    to.admission(ownerReferencesPermissionEnforcement)
    to.controller(garbageCollector(garbageCollectionNames(vendor)))
  },
})
