import { defineResource, nameIsPathSegment } from 'orch/sdk'
import type { AuthorizationNames } from '../names.js'
import { roleWrite } from '../permissions/role-write.js'
import { roleColumns } from '../rules/role-columns.js'
import { Role } from './schema.js'
import { mainStrategy } from './strategy.js'

export const roles = (names: AuthorizationNames) =>
  defineResource({
    ...names.roles,
    kind: 'Role',
    namespaced: true,
    versions: [{ name: 'v1', schema: Role }],
    strategy: mainStrategy,
    validateName: nameIsPathSegment,
    permission: roleWrite(names.roles),
    columns: roleColumns,
  })
