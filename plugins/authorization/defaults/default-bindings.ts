import type { Vendor } from 'orch/sdk'
import { allAuthenticated, allUnauthenticated, mastersGroup } from 'orch/sdk/identity'
import type { Subject } from '../rules/schema.js'
import { subjectKinds } from '../rules/subjects.js'
import { controllerRoles } from './controller-roles.js'
import { componentNames, type DefaultBinding, defaultGroups } from './default-role.js'

/** Builds the parts of a binding. Service accounts are those of the system namespace. */
export function bindingBuilder(vendor: Vendor) {
  const { rbac } = defaultGroups(vendor)
  return {
    bind: (name: string, kind: 'Role' | 'ClusterRole', roleName: string, subjects: Subject[]): DefaultBinding => ({
      name,
      roleRef: { apiGroup: rbac, kind, name: roleName },
      subjects,
    }),
    user: (name: string): Subject => ({ kind: subjectKinds.user, apiGroup: rbac, name }),
    group: (name: string): Subject => ({ kind: subjectKinds.group, apiGroup: rbac, name }),
    serviceAccount: (name: string): Subject => ({
      kind: subjectKinds.serviceAccount,
      name,
      namespace: vendor.profile.namespaces.system,
    }),
  }
}

/** Cluster role bindings; each is named after the role it grants. */
export function clusterBindings(vendor: Vendor): DefaultBinding[] {
  const { group, serviceAccount, user, ...builder } = bindingBuilder(vendor)
  const { dns } = componentNames(vendor)
  const { users } = vendor.profile
  const bind = (name: string, subjects: Subject[]) => builder.bind(name, 'ClusterRole', name, subjects)
  return [
    bind('cluster-admin', [group(mastersGroup)]),
    bind('system:basic-user', [group(allAuthenticated)]),
    bind('system:discovery', [group(allAuthenticated)]),
    bind('system:public-info-viewer', [group(allAuthenticated), group(allUnauthenticated)]),
    bind('system:service-account-issuer-discovery', [group('system:serviceaccounts')]),
    bind('system:monitoring', [group('system:monitoring')]),
    // Nodes get their rights from the Node mode; the binding is there for administrators who use RBAC for them.
    bind('system:node', []),
    bind('system:node-proxier', [user(users.proxy)]),
    bind(users.controllerManager, [user(users.controllerManager)]),
    bind(users.scheduler, [user(users.scheduler)]),
    bind('system:volume-scheduler', [user(users.scheduler)]),
    bind(`system:${dns}`, [serviceAccount(dns)]),
    ...controllerRoles(vendor).map(({ name }) => bind(name, [serviceAccount(name.replace('system:controller:', ''))])),
  ]
}
