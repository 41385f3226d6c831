import type { GroupResource, Vendor } from 'orch/sdk'
import { recordEvents } from 'orch/sdk/controllers'

/** Every vendor-derived name of this plugin. */
export const garbageCollectionNames = (vendor: Vendor) => ({
  /** Types that change too often to be watched, and expire by themselves. */
  ignored: [
    { group: '', resource: 'events' },
    { group: vendor.group('events'), resource: 'events' },
  ] satisfies GroupResource[],
  metaGroup: vendor.metaGroup,
  /** The RBAC rule of loops that record events. */
  recordEvents: recordEvents(vendor),
})
export type GarbageCollectionNames = ReturnType<typeof garbageCollectionNames>
