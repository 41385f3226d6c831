import { defineResource, type Strategy } from 'orch/sdk'
import { nameIsPathSegment } from 'orch/sdk/validation'
import type { AuthorizationNames } from '../names.js'
import { roleWrite } from '../permissions/role-write.js'
import { changeChecks } from '../rules/checked-twice.js'
import { roleColumns } from '../rules/role-columns.js'
import { validateRules } from '../rules/validation.js'
import { Role } from './schema.js'

const validate = ({ rules }: Role) => validateRules(rules, true)

const mainStrategy = ({ level }: AuthorizationNames) => {
  const { metadataChecks, validateChanged } = changeChecks(level, validate)
  return { validate, validateUpdate: validateChanged, metadataChecks, createOnUpdate: true } satisfies Strategy<Role>
}

export const roles = (names: AuthorizationNames) =>
  defineResource({
    group: names.rbacGroup,
    resource: names.roles.resource,
    kind: 'Role',
    namespaced: true,
    versions: [{ name: 'v1', schema: Role }],
    strategy: mainStrategy(names),
    // A prefix is checked like a name.
    validateName: name => nameIsPathSegment(name, false),
    permission: roleWrite(names.roles),
    columns: roleColumns,
  })
