import { addAll, type FieldError, invalidValue, requiredValue, tooLong } from '../resource/field-errors.js'
import { areAnnotationsTooLarge, maxAnnotationBytes } from './annotation-size.js'
import { isQualifiedName } from './object-names.js'

/** Data that users pass on to a signer: every key has the prefix of a domain, and the whole has the size of annotations at most. */
export function validateUserAnnotations(annotations: Readonly<Record<string, string>>, field: string): FieldError[] {
  const errors: FieldError[] = []
  for (const key of Object.keys(annotations)) addAll(errors, validateKey(key.toLowerCase(), field))
  if (areAnnotationsTooLarge(annotations)) errors.push(tooLong(field, maxAnnotationBytes))
  return errors
}

function validateKey(key: string, field: string): FieldError[] {
  if (key === '') return [requiredValue(field)]
  const broken = isQualifiedName(key)
  if (broken.length === 0 && !key.includes('/')) broken.push('must be a domain-prefixed key (such as "acme.io/foo")')
  return broken.map(text => invalidValue(field, key, text))
}
