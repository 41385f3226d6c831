import { defineResource } from 'orch/sdk'
import { nameIsPathSegment } from 'orch/sdk/validation'
import type { AuthorizationNames } from '../names.js'
import { bindingWrite } from '../permissions/binding-write.js'
import { bindingColumns } from '../rules/binding-columns.js'
import { bindingDefaults } from '../rules/binding-defaults.js'
import { bindingStrategy } from '../rules/binding-strategy.js'
import { ClusterRoleBinding } from './schema.js'

export const clusterRoleBindings = (names: AuthorizationNames) =>
  defineResource({
    group: names.rbacGroup,
    resource: names.clusterRoleBindings.resource,
    kind: 'ClusterRoleBinding',
    namespaced: false,
    versions: [{ name: 'v1', schema: ClusterRoleBinding, defaults: bindingDefaults(names.rbacGroup) }],
    strategy: bindingStrategy(names, false),
    // A prefix is checked like a name.
    validateName: name => nameIsPathSegment(name, false),
    permission: bindingWrite(names, names.clusterRoleBindings),
    columns: bindingColumns,
  })
