import { addAll, type FieldError, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { nameIsDnsSubdomain, nameIsPathSegment } from 'orch/sdk/validation'
import type { PolicyRule, RoleRef, Subject } from './schema.js'
import { subjectKinds } from './subjects.js'

/** Errors of the rules of a role. Rules of a namespaced role cannot be about paths outside the resource API. */
export function validateRules(rules: readonly PolicyRule[] | null | undefined, isNamespaced: boolean): FieldError[] {
  return (rules ?? []).flatMap((rule, i) => validateRule(rule, isNamespaced, `rules[${i}]`))
}

function validateRule(rule: PolicyRule, isNamespaced: boolean, path: string): FieldError[] {
  const errors: FieldError[] = []
  const isEmpty = (list: readonly string[] | null | undefined) => (list ?? []).length === 0
  if (isEmpty(rule.verbs)) errors.push(requiredValue(`${path}.verbs`, 'verbs must contain at least one value'))
  if (!isEmpty(rule.nonResourceURLs)) {
    const refuse = (why: string) => errors.push(invalidValue(`${path}.nonResourceURLs`, rule.nonResourceURLs, why))
    if (isNamespaced) refuse('namespaced rules cannot apply to non-resource URLs')
    if (!isEmpty(rule.apiGroups) || !isEmpty(rule.resources) || !isEmpty(rule.resourceNames))
      refuse('rules cannot apply to both regular resources and non-resource URLs')
    return errors
  }
  if (isEmpty(rule.apiGroups))
    errors.push(requiredValue(`${path}.apiGroups`, 'resource rules must supply at least one api group'))
  if (isEmpty(rule.resources))
    errors.push(requiredValue(`${path}.resources`, 'resource rules must supply at least one resource'))
  return errors
}

/** Errors of the role reference of a binding; `kinds` are those that it may name. */
export function validateRoleRef(roleRef: RoleRef, group: string, kinds: readonly string[]): FieldError[] {
  const errors: FieldError[] = []
  if (roleRef.apiGroup !== group) errors.push(notSupported('roleRef.apiGroup', roleRef.apiGroup, [group]))
  if (!kinds.includes(roleRef.kind)) errors.push(notSupported('roleRef.kind', roleRef.kind, kinds))
  if (!roleRef.name) errors.push(requiredValue('roleRef.name'))
  else
    addAll(
      errors,
      nameIsPathSegment(roleRef.name, false).map(text => invalidValue('roleRef.name', roleRef.name, text)),
    )
  return errors
}

/** Errors of the subjects of a binding. A service account may omit its namespace only in a RoleBinding. */
export function validateSubjects(
  subjects: readonly Subject[] | null | undefined,
  group: string,
  isNamespaced: boolean,
): FieldError[] {
  return (subjects ?? []).flatMap((subject, i) => validateSubject(subject, group, isNamespaced, `subjects[${i}]`))
}

function validateSubject(subject: Subject, group: string, isNamespaced: boolean, path: string): FieldError[] {
  const { kind, name, apiGroup = '', namespace = '' } = subject
  const errors: FieldError[] = name ? [] : [requiredValue(`${path}.name`)]
  switch (kind) {
    case subjectKinds.serviceAccount:
      if (name)
        addAll(
          errors,
          nameIsDnsSubdomain(name, false).map(text => invalidValue(`${path}.name`, name, text)),
        )
      if (apiGroup !== '') errors.push(notSupported(`${path}.apiGroup`, apiGroup, ['']))
      if (!isNamespaced && namespace === '') errors.push(requiredValue(`${path}.namespace`))
      break
    case subjectKinds.user:
    case subjectKinds.group:
      if (apiGroup !== group) errors.push(notSupported(`${path}.apiGroup`, apiGroup, [group]))
      break
    default:
      errors.push(notSupported(`${path}.kind`, kind, Object.values(subjectKinds)))
  }
  return errors
}
