import type { Vendor } from 'orch/sdk'

/** Every name of this plugin that carries the vendor's. */
export function aggregationNames(vendor: Vendor) {
  const group = vendor.group('apiregistration')
  const { objectPrefix } = vendor.profile
  return {
    group,
    apiServices: { group, version: 'v1', resource: 'apiservices' },
    /** Says on objects that the server made when it cares for them: `onstart` or `true`. */
    managedLabel: vendor.qualify('automanaged', `${objectPrefix}-aggregator`),
    /** As whom extension servers see this server when it asks on its own account. */
    user: `system:${objectPrefix}-aggregator`,
    userAgent: `${objectPrefix}-aggregator`,
    /** Health checks that the reference calls after its own components. */
    checks: {
      informers: `poststarthook/start-${objectPrefix}-aggregator-informers`,
      registration: `poststarthook/${objectPrefix}-apiserver-autoregistration`,
    },
    groupOf: (name: string) => vendor.group(name),
  }
}
export type AggregationNames = ReturnType<typeof aggregationNames>
