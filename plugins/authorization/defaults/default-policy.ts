import type { Vendor } from 'orch/sdk'
import { aggregatedRoles } from './aggregated-roles.js'
import { componentRoles } from './component-roles.js'
import { controllerRoles } from './controller-roles.js'
import { clusterBindings } from './default-bindings.js'
import { namespacePolicy } from './namespace-policy.js'
import { systemRoles } from './system-roles.js'

/** All roles and bindings that exist from the first start. */
export const defaultPolicy = (vendor: Vendor) => ({
  clusterRoles: [
    ...systemRoles(vendor),
    ...aggregatedRoles(vendor),
    ...componentRoles(vendor),
    ...controllerRoles(vendor),
  ],
  clusterRoleBindings: clusterBindings(vendor),
  namespaces: namespacePolicy(vendor),
})
export type DefaultPolicy = ReturnType<typeof defaultPolicy>
