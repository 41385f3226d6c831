import type { Vendor } from 'orch/sdk'

/** Every name of this plugin that carries the vendor's. */
export function deviceNames(vendor: Vendor) {
  const group = vendor.group('resource')
  return {
    group,
    vendor,
    claims: { group, version: 'v1', resource: 'resourceclaims' },
    templates: { group, version: 'v1', resource: 'resourceclaimtemplates' },
    /** Set to `true` on a namespace whose users may look into devices that others use. */
    adminAccessLabel: vendor.qualify('admin-access', 'resource'),
    /** What a token of a service account says about the node that its Pod is on. */
    nodeNameExtra: vendor.qualify('node-name', 'authentication'),
    /** Keeps an allocated claim while it is in use. */
    deleteProtection: vendor.qualify('delete-protection', 'resource'),
    /** On a claim that was made from a template: the name by which the Pod knows it. */
    podClaimAnnotation: vendor.qualify('pod-claim-name', 'resource'),
  }
}
export type DeviceNames = ReturnType<typeof deviceNames>

export const podCollection = { group: '', version: 'v1', resource: 'pods' } as const
