import type { Vendor } from 'orch/sdk'

/** Every name of this plugin that carries the vendor's. */
export const namespaceNames = (vendor: Vendor) => {
  const { system, public: open, nodeLease } = vendor.profile.namespaces
  return {
    /** In `spec.finalizers`: the contents are still to be removed. */
    finalizer: vendor.name,
    /** Label that repeats the name, so that selectors can choose a namespace by it. */
    nameLabel: vendor.qualify('metadata.name'),
    /** Namespaces that exist from the first start. */
    system: ['default', system, open, nodeLease],
    /** Those of them that cannot be deleted. */
    immortal: ['default', system, open],
    authorizationGroup: vendor.group('authorization'),
  }
}
export type NamespaceNames = ReturnType<typeof namespaceNames>

/** The phase of a namespace whose contents are being removed. */
export const terminatingPhase = 'Terminating'
