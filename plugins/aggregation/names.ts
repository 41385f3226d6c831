import type { Vendor } from 'orch/sdk'

/** The names in this plugin that depend on the vendor. */
export function aggregationNames(vendor: Vendor) {
  const group = vendor.group('apiregistration')
  const { objectPrefix } = vendor.profile
  return {
    group,
    apiServices: { group, version: 'v1', resource: 'apiservices' },
    /** Label of APIServices that the server manages: `onstart` (created at the start only) or `true` (kept in sync). */
    managedLabel: vendor.qualify('automanaged', `${objectPrefix}-aggregator`),
    /** The user name of this server in requests that it sends to extension servers on its own behalf. */
    user: `system:${objectPrefix}-aggregator`,
    userAgent: `${objectPrefix}-aggregator`,
    /** Health checks that Kubernetes names after its own components. */
    checks: {
      informers: `poststarthook/start-${objectPrefix}-aggregator-informers`,
      registration: `poststarthook/${objectPrefix}-apiserver-autoregistration`,
    },
    /** The group of aggregated discovery. */
    discoveryGroup: vendor.group('apidiscovery'),
    groupOf: (name: string) => vendor.group(name),
  }
}
export type AggregationNames = ReturnType<typeof aggregationNames>
