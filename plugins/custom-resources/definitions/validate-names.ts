import { addAll, type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { isDns1035Label } from 'orch/sdk/validation'
import type { CustomResourceNames } from '../names.js'
import type { CustomResourceDefinition, DefinitionNames } from './schema.js'

/** The rules for requested and accepted names alike. */
export function validateNames(names: DefinitionNames, path: string): FieldError[] {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names
  const errors: FieldError[] = []
  const check = (name: string, value: string, text = value) => {
    addAll(
      errors,
      isDns1035Label(text)
        .map(detail => invalidValue(`${path}.${name}`, value, detail))
        .slice(0, 1),
    )
  }
  if (plural !== '') check('plural', plural)
  if (singular !== '') check('singular', singular)
  if (kind !== '') check('kind', kind, kind.toLowerCase())
  if (listKind !== '') check('listKind', listKind, listKind.toLowerCase())
  for (const [i, name] of shortNames.entries()) check(`shortNames[${i}]`, name)
  if (kind !== '' && kind === listKind)
    errors.push(invalidValue(`${path}.listKind`, listKind, 'kind and listKind must not be the same'))
  for (const [i, name] of categories.entries()) check(`categories[${i}]`, name)
  return errors
}

/** All requested names must be set. */
export function validateRequestedNames(names: DefinitionNames, path: string): FieldError[] {
  const missing = (['plural', 'singular', 'kind', 'listKind'] as const).filter(name => (names[name] ?? '') === '')
  return [...missing.map(name => requiredValue(`${path}.${name}`)), ...validateNames(names, path)]
}

export type ApprovalState = 'approved' | 'bypassed' | 'missing' | 'invalid'

/** Whether the group belongs to the vendor, so that its types need an approval. */
export const isProtectedGroup = (group: string, { protectedDomains }: CustomResourceNames): boolean =>
  protectedDomains.some(domain => group === domain || group.endsWith(`.${domain}`))

export function approvalState({ metadata }: CustomResourceDefinition, { approvalAnnotation }: CustomResourceNames) {
  const value = metadata.annotations?.[approvalAnnotation] ?? ''
  const state: ApprovalState =
    value === '' ? 'missing' : value.startsWith('unapproved') ? 'bypassed' : isUrl(value) ? 'approved' : 'invalid'
  return { value, state }
}
const isUrl = (text: string) => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+/i.test(text) && URL.canParse(text)

/** Types in the vendor's groups must have an approval annotation. */
export function validateApproval(
  definition: CustomResourceDefinition,
  stored: CustomResourceDefinition | undefined,
  names: CustomResourceNames,
): FieldError[] {
  if (!isProtectedGroup(definition.spec.group, names)) return []
  const { state, value } = approvalState(definition, names)
  if (stored && approvalState(stored, names).state === state) return []
  const path = `metadata.annotations[${names.approvalAnnotation}]`
  if (state === 'missing')
    return [requiredValue(path, 'protected groups require an approval: a URL, or unapproved and the reason')]
  return state === 'invalid' ? [invalidValue(path, value, 'must be a URL, or begin with "unapproved"')] : []
}
