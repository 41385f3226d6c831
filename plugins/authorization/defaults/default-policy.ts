import type { Vendor } from 'orch/sdk'
import { clusterRoles } from './cluster-roles.js'
import { controllerRoles } from './controller-roles.js'
import { clusterBindings } from './default-bindings.js'
import { namespacePolicy } from './namespace-policy.js'

/** All roles and bindings that exist from the first start. */
export const defaultPolicy = (vendor: Vendor) => ({
  clusterRoles: [...clusterRoles(vendor), ...controllerRoles(vendor)],
  clusterRoleBindings: clusterBindings(vendor),
  namespaces: namespacePolicy(vendor),
})
export type DefaultPolicy = ReturnType<typeof defaultPolicy>
