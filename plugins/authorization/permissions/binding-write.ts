import { type ApiObject, definePermission, forbidden, notFound, services } from 'orch/sdk'
import { bindingsAreNotFound } from '../differences.js'
import { liveRoleIndex } from '../live-role-index.js'
import type { AuthorizationNames } from '../names.js'
import { everything } from '../rules/describe-rule.js'
import type { RoleObject } from '../rules/role-index.js'
import type { PolicyRule, RoleRef } from '../rules/schema.js'
import { mayGrantAnything, onlyConcernsRemoval, whyEscalates } from './confirm-no-escalation.js'

type WrittenBinding = ApiObject & { roleRef: RoleRef }

/** A user who may `bind` a role may grant it to anyone; everyone else may grant only roles whose rules they hold. */
export const bindingWrite = (names: AuthorizationNames, collection: { group: string; resource: string }) =>
  definePermission<WrittenBinding>()({
    needs: { authorizer: services.authorizer, index: liveRoleIndex, reader: services.reader },
    async review({ user, namespace, object, stored }, { authorizer, index, reader }) {
      if (mayGrantAnything(user) || onlyConcernsRemoval(object, stored)) return
      const { roleRef } = object
      const roles = roleRef.kind === 'ClusterRole' ? names.clusterRoles : names.roles
      // An invalid reference is left to validation, which reports what is wrong with it.
      if (!isResolvable(roleRef, names.rbacGroup, namespace)) return
      const role = { group: roleRef.apiGroup, version: everything, resource: roles.resource, name: roleRef.name }
      if (await authorizer.allows(user, 'bind', { ...role, namespace })) return
      const found = await reader.get<RoleObject>(roles, roleRef.kind === 'ClusterRole' ? '' : namespace, roleRef.name)
      if (found === undefined) {
        const named = names.level.has(bindingsAreNotFound) ? collection : roles
        throw notFound({ group: named.group, resource: named.resource, name: roleRef.name })
      }
      // Read from the store, not from the index, which may still have the old rules of a role that another process just
      // wrote.
      const wanted: readonly PolicyRule[] = found.rules ?? []
      await index.ready()
      const why = whyEscalates(index, user, namespace, wanted)
      if (why !== undefined) throw forbidden({ ...collection, name: object.metadata.name }, why)
    },
  })

const isResolvable = (roleRef: RoleRef, group: string, namespace: string): boolean =>
  roleRef.apiGroup === group &&
  roleRef.name !== '' &&
  (roleRef.kind === 'ClusterRole' || (roleRef.kind === 'Role' && namespace !== ''))
