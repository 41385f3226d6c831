import type { Vendor } from 'orch/sdk'

/** All names of this plugin that contain a vendor name. */
export const eventNames = (vendor: Vendor) => ({
  eventsGroup: vendor.group('events'),
  /** Accepted types of the EventRateLimit configuration: group, version and kind. */
  eventRateConfigurations: [`${vendor.group('eventratelimit.admission')}/v1alpha1 Configuration`],
  systemNamespace: vendor.profile.namespaces.system,
})
export type EventNames = ReturnType<typeof eventNames>
