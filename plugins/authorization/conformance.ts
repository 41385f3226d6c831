import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { ClusterRoleBinding } from './cluster-role-bindings/schema.js'
import type { ClusterRole } from './cluster-roles/schema.js'
import { authorizationNames } from './names.js'
import type { RoleBinding } from './role-bindings/schema.js'
import type { Role } from './roles/schema.js'

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { rbacGroup } = authorizationNames(vendor)
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['widgets'] }]
  const noVerbs = {
    'a rule without verbs': (object: Role | ClusterRole) => {
      object.rules = [{ verbs: [], apiGroups: [''], resources: ['widgets'] }]
    },
  }
  const moreVerbs = (object: Role | ClusterRole) => {
    object.rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['widgets'] }]
  }
  const subjects = [{ kind: 'User', apiGroup: rbacGroup, name: 'jane' }]
  const noSubject = {
    'a subject of an unknown kind': (object: RoleBinding | ClusterRoleBinding) => {
      object.subjects = [{ kind: 'Robot', name: 'r2' }]
    },
  }
  const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'view' }
  return {
    samples: {
      [`roles.${rbacGroup}`]: { valid: () => ({ rules }), invalid: noVerbs, update: moreVerbs },
      [`clusterroles.${rbacGroup}`]: { valid: () => ({ rules }), invalid: noVerbs, update: moreVerbs },
      [`rolebindings.${rbacGroup}`]: { valid: () => ({ roleRef, subjects }), invalid: noSubject },
      [`clusterrolebindings.${rbacGroup}`]: { valid: () => ({ roleRef, subjects }), invalid: noSubject },
    },
  }
}
