import type { Vendor } from 'orch/sdk'

/** All names of this plugin that contain a vendor name. */
export const namespaceNames = (vendor: Vendor) => {
  const { system, public: open, nodeLease } = vendor.profile.namespaces
  return {
    /** In `spec.finalizers` until all objects in the namespace are removed. */
    finalizer: vendor.name,
    /** Label with the name of the namespace, so that selectors can match it. */
    nameLabel: vendor.qualify('metadata.name'),
    /** Namespaces that exist from the first start. */
    system: ['default', system, open, nodeLease],
    /** Those of them that cannot be deleted. */
    undeletable: ['default', system, open],
    authorizationGroup: vendor.group('authorization'),
  }
}
export type NamespaceNames = ReturnType<typeof namespaceNames>

/** The phase of a namespace whose contents are being removed. */
export const terminatingPhase = 'Terminating'
