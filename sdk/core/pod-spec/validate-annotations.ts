import { type FieldError, invalidValue, tooLong } from '../../resource/field-errors.js'
import { areAnnotationsTooLarge, maxAnnotationBytes } from '../../validation/annotation-size.js'
import { isQualifiedName } from '../../validation/object-names.js'

/** Annotations at `field`, of an object that is part of another one: qualified names, and a limited total size. */
export function validateAnnotations(annotations: Readonly<Record<string, string>> = {}, field: string): FieldError[] {
  const errors = Object.keys(annotations).flatMap(key =>
    isQualifiedName(key.toLowerCase()).map(text => invalidValue(field, key, text)),
  )
  return areAnnotationsTooLarge(annotations) ? [...errors, tooLong(field, maxAnnotationBytes)] : errors
}
