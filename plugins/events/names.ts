import type { Vendor } from 'orch/sdk'

/** Every name of this plugin that carries the vendor's. */
export const eventNames = (vendor: Vendor) => ({
  eventsGroup: vendor.group('events'),
  /** What the configuration of EventRateLimit is called: group, version and kind. */
  eventRateConfigurations: [`${vendor.group('eventratelimit.admission')}/v1alpha1 Configuration`],
  systemNamespace: vendor.profile.namespaces.system,
})
export type EventNames = ReturnType<typeof eventNames>
