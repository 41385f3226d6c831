import { defineResource, nameIsPathSegment } from 'orch/sdk'
import type { AuthorizationNames } from '../names.js'
import { clusterRoleWrite } from '../permissions/role-write.js'
import { roleColumns } from '../rules/role-columns.js'
import { ClusterRole } from './schema.js'
import { mainStrategy } from './strategy.js'

export const clusterRoles = (names: AuthorizationNames) =>
  defineResource({
    group: names.rbacGroup,
    resource: names.clusterRoles.resource,
    kind: 'ClusterRole',
    namespaced: false,
    versions: [{ name: 'v1', schema: ClusterRole }],
    strategy: mainStrategy,
    validateName: nameIsPathSegment,
    permission: clusterRoleWrite(names.clusterRoles),
    columns: roleColumns,
  })
