import { addAll, type FieldError, invalidValue, type JsonObject, type ObjectMeta, tooLong } from 'orch/sdk'
import { validateAnnotations } from 'orch/sdk/core'
import { isQualifiedName, nameIsDnsLabel, nameIsPathSegment, validateLabels } from 'orch/sdk/validation'

/** Validates the metadata of an embedded object, by the rules for new objects. It needs no name. */
export function validateEmbeddedMetadata(metadata: JsonObject, path: string): FieldError[] {
  const { name, generateName, namespace, generation, labels, annotations, ...others } = metadata as ObjectMeta
  const errors: FieldError[] = []
  const report = (field: string, value: unknown, problems: readonly string[]) => {
    for (const problem of problems) errors.push(invalidValue(`${path}.${field}`, value, problem))
  }
  if (generateName) report('generateName', generateName, nameIsPathSegment(generateName, true))
  if (name) report('name', name, nameIsPathSegment(name, false))
  if (namespace) report('namespace', namespace, nameIsDnsLabel(namespace, false))
  if ((generation ?? 0) < 0) report('generation', generation, ['must be greater than or equal to 0'])
  if (labels) addAll(errors, validateLabels(labels, `${path}.labels`))
  addAll(errors, validateAnnotations(annotations, `${path}.annotations`))
  addAll(errors, validateOwners(others, `${path}.ownerReferences`))
  addAll(errors, validateFinalizers(others, `${path}.finalizers`))
  addAll(errors, validateManagedFields(others, `${path}.managedFields`))
  return errors
}

function validateOwners({ ownerReferences = [] }: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const owner of ownerReferences) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = owner
    const { version, group } = versionOf(apiVersion)
    if (version === '') errors.push(invalidValue(`${path}.apiVersion`, apiVersion, 'must have a version'))
    for (const [field, text] of Object.entries({ kind, name, uid }))
      if (text === '') errors.push(invalidValue(`${path}.${field}`, text, 'must not be empty'))
    if (group === '' && version === 'v1' && kind === 'Event')
      errors.push(invalidValue(path, owner, 'an Event cannot be an owner'))
  }
  const [first, ...others] = ownerReferences.filter(({ controller }) => controller === true)
  const nameOf = ({ kind, name }: typeof first & object) => `${kind}/${name}`
  for (const other of others)
    if (first)
      errors.push(
        invalidValue(
          path,
          ownerReferences,
          `only one owner can be the controller: ${nameOf(first)} or ${nameOf(other)}`,
        ),
      )
  return errors
}

/** The parts of an API version; both are empty if it has too many. */
function versionOf(apiVersion: string): { readonly group: string; readonly version: string } {
  const parts = apiVersion.split('/')
  const [group = '', version = ''] = parts.length === 1 ? ['', ...parts] : parts
  return parts.length > 2 ? { group: '', version: '' } : { group, version }
}

/** How the dependents of a deleted object are treated; only one of them can be wanted. */
const exclusive = ['orphan', 'foregroundDeletion']

function validateFinalizers({ finalizers = [] }: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const finalizer of finalizers)
    for (const problem of isQualifiedName(finalizer)) errors.push(invalidValue(path, finalizer, problem))
  if (exclusive.every(finalizer => finalizers.includes(finalizer)))
    errors.push(invalidValue(path, finalizers, `must not have both ${exclusive.join(' and ')}`))
  return errors
}

const maxManagerBytes = 128
const maxSubresourceBytes = 256

function validateManagedFields({ managedFields = [] }: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [index, entry] of managedFields.entries()) {
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry
    const at = `${path}[${index}]`
    if (operation !== 'Apply' && operation !== 'Update')
      errors.push(invalidValue(`${at}.operation`, operation, 'must be `Apply` or `Update`'))
    if (fieldsType !== '' && fieldsType !== 'FieldsV1')
      errors.push(invalidValue(`${at}.fieldsType`, fieldsType, 'must be `FieldsV1`'))
    if (Buffer.byteLength(manager) > maxManagerBytes) errors.push(tooLong(`${at}.manager`, maxManagerBytes))
    // Of blanks, only the space is printable.
    if (/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(manager))
      errors.push(invalidValue(`${at}.manager`, manager, 'must only contain printable characters'))
    if (Buffer.byteLength(subresource) > maxSubresourceBytes)
      errors.push(tooLong(`${at}.subresource`, maxSubresourceBytes))
  }
  return errors
}
