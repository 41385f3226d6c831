import { type FieldError, invalidValue, requiredValue, tooLong } from '../../resource/field-errors.js'
import { dnsLabelMaxLength, isDns1123Subdomain } from '../../validation/object-names.js'

/**
 * The name of a CSI driver: a DNS subdomain in any case, of at most 63 characters. An empty name is required and, unless
 * `missingIsInvalid` is false, also invalid, as in Kubernetes.
 */
export const validateCsiDriverName = (name: string, field: string, missingIsInvalid = true): FieldError[] => [
  ...(name === '' ? [requiredValue(field)] : []),
  ...(name.length > dnsLabelMaxLength ? [tooLong(field, dnsLabelMaxLength)] : []),
  ...(name === '' && !missingIsInvalid ? [] : isDns1123Subdomain(name.toLowerCase())).map(text =>
    invalidValue(field, name, text),
  ),
]
