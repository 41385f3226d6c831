import { type FieldError, invalidValue, tooLong } from '../../resource/field-errors.js'
import { isQualifiedName } from '../../validation/object-names.js'

const maxAnnotationBytes = 256 * 1024

/** Annotations at `field`, of an object that is part of another one: qualified names, and a limited total size. */
export function validateAnnotations(annotations: Readonly<Record<string, string>> = {}, field: string): FieldError[] {
  const errors = Object.keys(annotations).flatMap(key =>
    isQualifiedName(key.toLowerCase()).map(text => invalidValue(field, key, text)),
  )
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return bytes > maxAnnotationBytes ? [...errors, tooLong(field, maxAnnotationBytes)] : errors
}
