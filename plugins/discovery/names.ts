import type { Vendor } from 'orch/sdk'
import { recordEvents } from 'orch/sdk/controllers'
import { externalNamesHaveNoEndpoints, managerOfEndpoints, missingNodesHaveNoEndpoints } from './differences.js'
import type { EndpointSlice } from './endpoint-slices/schema.js'

const core = (resource: string) => ({ group: '', version: 'v1', resource })

/** Every vendor-derived name of this plugin. */
export function discoveryNames(vendor: Vendor) {
  const group = vendor.group('discovery')
  return {
    group,
    /** The RBAC rule of loops that record events. */
    recordEvents: recordEvents(vendor),
    slices: { group, version: 'v1', resource: 'endpointslices' },
    services: core('services'),
    endpoints: core('endpoints'),
    pods: core('pods'),
    nodes: core('nodes'),
    /** Keys of the topology that v1 has fields for. */
    zoneKey: vendor.qualify('zone', 'topology'),
    hostnameKey: vendor.qualify('hostname'),
    /** The Service that a slice belongs to, and the component that manages it. */
    serviceNameLabel: vendor.qualify('service-name'),
    managedByLabel: vendor.qualify('managed-by', 'endpointslice'),
    slicingManager: `endpointslice-controller.${vendor.profile.groupDomain}`,
    mirroringManager: `endpointslicemirroring-controller.${vendor.profile.groupDomain}`,
    headlessLabel: vendor.qualify('headless', 'service'),
    /** When the change happened that endpoints were written for, so that clients can measure the delay. */
    triggerTimeAnnotation: vendor.qualify('last-change-trigger-time', 'endpoints'),
    /** `Auto` on Services whose endpoints are allocated to zones; the first annotation takes precedence. */
    topologyAnnotations: [
      vendor.qualify('topology-aware-hints', 'service'),
      vendor.qualify('topology-mode', 'service'),
    ],
    /** Nodes with one of these labels are excluded from the allocation. */
    controlPlaneLabels: ['control-plane', 'master'].map(role => vendor.qualify(role, 'node-role')),
    /** `truncated` on Endpoints that do not have all addresses. */
    overCapacityAnnotation: vendor.qualify('over-capacity', 'endpoints'),
    /** `true` on Endpoints that are not mirrored. */
    skipMirrorLabel: vendor.qualify('skip-mirror', 'endpointslice'),
    /** The label of Endpoints that the loop manages, in versions that have it. */
    endpointsManager: (vendor.level.has(managerOfEndpoints)
      ? { [vendor.qualify('managed-by', 'endpoints')]: 'endpoint-controller' }
      : {}) as Readonly<Record<string, string>>,
    externalNamesHaveNoEndpoints: vendor.level.has(externalNamesHaveNoEndpoints),
    missingNodesHaveNoEndpoints: vendor.level.has(missingNodesHaveNoEndpoints),
    /** Endpoints with it were a leader election lock, and have no addresses. */
    leaderAnnotation: vendor.qualify('leader', 'control-plane.alpha'),
    lastAppliedAnnotation: vendor.lastAppliedAnnotation,
  }
}
export type DiscoveryNames = ReturnType<typeof discoveryNames>

/** The key of the Service that a slice belongs to. */
export const serviceKeysOf =
  ({ serviceNameLabel }: DiscoveryNames) =>
  ({ metadata }: EndpointSlice): string[] => {
    const service = metadata?.labels?.[serviceNameLabel]
    return service === undefined ? [] : [`${metadata?.namespace ?? ''}/${service}`]
  }
