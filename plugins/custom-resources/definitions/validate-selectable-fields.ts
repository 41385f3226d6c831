import { duplicate, type FieldError, invalidValue, requiredValue, tooMany } from 'orch/sdk'
import { readSchema } from '../../../libs/json-schema/index.js'
import type { SchemaKeywords } from '../names.js'
import { findField } from '../schemas/field-path.js'
import type { JsonSchema } from './schema.js'

export const maxSelectableFields = 8
const selectableTypes = ['string', 'boolean', 'integer']

/** Fields that selectors may name are scalars outside of metadata and lists. */
export function validateSelectableFields(
  fields: readonly { readonly jsonPath: string }[],
  source: JsonSchema | undefined,
  path: string,
  { keywords, mayBeMany }: { readonly keywords: SchemaKeywords; readonly mayBeMany: boolean },
): FieldError[] {
  if (fields.length === 0) return []
  if (!source) return [invalidValue(path, '', 'must not be set without a schema')]
  const schema = readSchema(source, keywords)
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [i, { jsonPath = '' }] of fields.entries()) {
    const at = `${path}[${i}].jsonPath`
    if (jsonPath === '') {
      errors.push(requiredValue(at))
      continue
    }
    const found = findField(jsonPath, schema, false)
    if (typeof found === 'string') {
      errors.push(invalidValue(at, jsonPath, `is an invalid path: ${found}`))
      continue
    }
    if (found.steps[0] === 'metadata') errors.push(invalidValue(at, jsonPath, 'must not point to fields in metadata'))
    if (!selectableTypes.includes(found.schema?.type ?? ''))
      errors.push(invalidValue(at, jsonPath, 'must point to a field of type string, boolean or integer'))
    if (seen.has(found.path)) errors.push(duplicate(at, jsonPath))
    seen.add(found.path)
  }
  if (seen.size > maxSelectableFields && !mayBeMany) errors.push(tooMany(path, seen.size, maxSelectableFields))
  return errors
}
