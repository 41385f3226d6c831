import { type FieldError, invalidValue, requiredValue, tooLong } from '../../field-errors.js'
import { dnsLabelMaxLength, isDns1123Subdomain } from '../../object-names.js'

/** The name of a CSI driver: a DNS subdomain in any case, of at most 63 characters. */
export const validateCsiDriverName = (name: string, field: string): FieldError[] => [
  ...(name === '' ? [requiredValue(field)] : []),
  ...(name.length > dnsLabelMaxLength ? [tooLong(field, dnsLabelMaxLength)] : []),
  ...isDns1123Subdomain(name.toLowerCase()).map(text => invalidValue(field, name, text)),
]
