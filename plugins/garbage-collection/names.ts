import type { GroupResource, Vendor } from 'orch/sdk'
import { recordEvents } from 'orch/sdk/controllers'

/** Every name of this plugin that carries the vendor's. */
export const garbageCollectionNames = (vendor: Vendor) => ({
  /** Types that come and go too often to be followed, and go by themselves. */
  ignored: [
    { group: '', resource: 'events' },
    { group: vendor.group('events'), resource: 'events' },
  ] satisfies GroupResource[],
  metaGroup: vendor.metaGroup,
  /** The rule of loops that record events. */
  recordEvents: recordEvents(vendor),
})
export type GarbageCollectionNames = ReturnType<typeof garbageCollectionNames>
