import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidValue, type Strategy } from 'orch/sdk'
import type { AuthorizationNames } from '../names.js'
import { changeChecks } from './checked-twice.js'
import type { RoleRef, Subject } from './schema.js'
import { validateRoleRef, validateSubjects } from './validation.js'

interface BindingFields {
  roleRef: RoleRef
  subjects?: Subject[] | null
}

type BindingNames = Pick<AuthorizationNames, 'rbacGroup' | 'level'>

/**
 * The rules of both kinds of binding. The role of a binding never changes: otherwise anyone who may edit it could
 * choose any role.
 */
export function bindingStrategy({ rbacGroup: group, level }: BindingNames, isNamespaced: boolean) {
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  const validate = ({ roleRef, subjects }: BindingFields): FieldError[] => [
    ...validateRoleRef(roleRef, group, kinds),
    ...validateSubjects(subjects, group, isNamespaced),
  ]
  const { metadataChecks, validateChanged } = changeChecks(level, validate)
  return {
    validate,
    metadataChecks,
    validateUpdate: (sent: BindingFields, stored: BindingFields) => [
      ...validateChanged(sent, stored),
      ...(isDeepStrictEqual({ ...sent.roleRef }, { ...stored.roleRef })
        ? []
        : [invalidValue('roleRef', sent.roleRef, 'cannot change roleRef')]),
    ],
    createOnUpdate: true,
  } satisfies Strategy<BindingFields>
}
