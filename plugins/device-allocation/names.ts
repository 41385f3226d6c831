import type { Vendor } from 'orch/sdk'

/** Every vendor-derived name of this plugin. */
export function deviceNames(vendor: Vendor) {
  const group = vendor.group('resource')
  return {
    group,
    vendor,
    claims: { group, version: 'v1', resource: 'resourceclaims' },
    templates: { group, version: 'v1', resource: 'resourceclaimtemplates' },
    /** Set to `true` on a namespace whose users may access devices that others use. */
    adminAccessLabel: vendor.qualify('admin-access', 'resource'),
    /** The claim of a service account token that names the node of its Pod. */
    nodeNameExtra: vendor.qualify('node-name', 'authentication'),
    /** Keeps an allocated claim while it is in use. */
    deleteProtection: vendor.qualify('delete-protection', 'resource'),
    /** On a claim that was created from a template: its name in the spec of the Pod. */
    podClaimAnnotation: vendor.qualify('pod-claim-name', 'resource'),
  }
}
export type DeviceNames = ReturnType<typeof deviceNames>

export const podCollection = { group: '', version: 'v1', resource: 'pods' } as const
