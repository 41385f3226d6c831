import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidValue, type Strategy } from 'orch/sdk'
import type { RoleRef, Subject } from './schema.js'
import { validateRoleRef, validateSubjects } from './validation.js'

interface BindingFields {
  roleRef: RoleRef
  subjects?: Subject[] | null
}

/** The rules of both kinds of binding. The role of a binding never changes: who could edit it could pick any role. */
export function bindingStrategy(group: string, isNamespaced: boolean) {
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  const validate = ({ roleRef, subjects }: BindingFields): FieldError[] => [
    ...validateRoleRef(roleRef, group, kinds),
    ...validateSubjects(subjects, group, isNamespaced),
  ]
  return {
    validate,
    validateUpdate: (sent: BindingFields, stored: BindingFields) => [
      ...validate(sent),
      ...(isDeepStrictEqual({ ...sent.roleRef }, { ...stored.roleRef })
        ? []
        : [invalidValue('roleRef', sent.roleRef, 'cannot change roleRef')]),
    ],
    createOnUpdate: true,
  } satisfies Strategy<BindingFields>
}
