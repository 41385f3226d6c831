import type { Vendor } from 'orch/sdk'

/** Every vendor-derived name of this plugin. */
export function authorizationNames(vendor: Vendor) {
  const rbacGroup = vendor.group('rbac.authorization')
  const { namespaces, users } = vendor.profile
  return {
    rbacGroup,
    level: vendor.level,
    reviewGroup: vendor.group('authorization'),
    /** The apiVersion and kind of a configuration file of this plugin. */
    configurationKinds: ['v1', 'v1beta1', 'v1alpha1'].map(
      version => `${vendor.group('apiserver.config')}/${version} AuthorizationConfiguration`,
    ),
    roles: { group: rbacGroup, version: 'v1', resource: 'roles' },
    clusterRoles: { group: rbacGroup, version: 'v1', resource: 'clusterroles' },
    roleBindings: { group: rbacGroup, version: 'v1', resource: 'rolebindings' },
    clusterRoleBindings: { group: rbacGroup, version: 'v1', resource: 'clusterrolebindings' },
    storageGroup: vendor.group('storage'),
    coordinationGroup: vendor.group('coordination'),
    /** Set to "false" on a default role or binding, it keeps the server from repairing it at start. */
    autoUpdateAnnotation: vendor.qualify('autoupdate', 'rbac.authorization'),
    /** Marks what the server itself created at start. */
    bootstrappingLabel: vendor.qualify('bootstrapping'),
    /** Marks a cluster role whose rules also belong to another one: `aggregationLabel('edit')`. */
    aggregationLabel: (into: string) => `${rbacGroup}/aggregate-to-${into}`,
    /** Marks the mirror of a static Pod of a node. */
    mirrorPodAnnotation: vendor.qualify('config.mirror'),
    namespaces,
    users,
  }
}
export type AuthorizationNames = ReturnType<typeof authorizationNames>
