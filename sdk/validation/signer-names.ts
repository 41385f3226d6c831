import { addAll, type FieldError, invalidValue, requiredValue, tooLong } from '../resource/field-errors.js'
import { dnsLabelMaxLength, dnsSubdomainMaxLength, isDns1123Label, isDns1123Subdomain } from './object-names.js'

/** A signer must fit into the resourceName of a rule: domain, slash, and a path of one subdomain and one label. */
const maxSignerNameLength = dnsSubdomainMaxLength + 1 + dnsSubdomainMaxLength + 1 + dnsLabelMaxLength

/** The domain of a signer's name. */
export const domainOfSigner = (signerName: string): string => signerName.split('/')[0] ?? ''
/** Whether a signer is one of that domain, or of a domain inside it. */
export const isSignerOf = (domain: string, signerName: string): boolean =>
  `.${domainOfSigner(signerName)}`.endsWith(`.${domain}`)

/** A signer is named `<domain>/<path>`, like `example.com/team.client`. */
export function validateSignerName(signerName: string, field: string): FieldError[] {
  if (signerName === '') return [requiredValue(field)]
  const [domain = '', path = '', ...more] = signerName.split('/')
  if (!signerName.includes('/') || more.length > 0) {
    const rule = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
    return [invalidValue(field, signerName, rule)]
  }
  const errors: FieldError[] = []
  if (domain.length > dnsSubdomainMaxLength) errors.push(tooLong(field, dnsSubdomainMaxLength))
  const labels = domain.split('.')
  addAll(errors, firstInvalid(labels, domain, isDns1123Label, field))
  if (labels.length < 2)
    errors.push(invalidValue(field, domain, 'should be a domain with at least two segments separated by dots'))
  addAll(errors, firstInvalid(path.split('.'), path, isDns1123Subdomain, field))
  if (signerName.length > maxSignerNameLength) errors.push(tooLong(field, maxSignerNameLength))
  return errors
}

/** Errors of the first invalid label; those of the others would be the same. */
function firstInvalid(labels: string[], whole: string, rule: (label: string) => string[], field: string): FieldError[] {
  for (const label of labels) {
    const texts = rule(label)
    if (texts.length > 0) return texts.map(text => invalidValue(field, whole, `validating label "${label}": ${text}`))
  }
  return []
}
