import { defineResource } from 'orch/sdk'
import { nameIsPathSegment } from 'orch/sdk/validation'
import type { AuthorizationNames } from '../names.js'
import { bindingWrite } from '../permissions/binding-write.js'
import { bindingColumns } from '../rules/binding-columns.js'
import { bindingDefaults } from '../rules/binding-defaults.js'
import { bindingStrategy } from '../rules/binding-strategy.js'
import { RoleBinding } from './schema.js'

export const roleBindings = (names: AuthorizationNames) =>
  defineResource({
    group: names.rbacGroup,
    resource: names.roleBindings.resource,
    kind: 'RoleBinding',
    namespaced: true,
    versions: [{ name: 'v1', schema: RoleBinding, defaults: bindingDefaults(names.rbacGroup) }],
    strategy: bindingStrategy(names, true),
    // A prefix is checked like a name.
    validateName: name => nameIsPathSegment(name, false),
    permission: bindingWrite(names, names.roleBindings),
    columns: bindingColumns,
  })
