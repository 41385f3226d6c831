import type { Pkcs10CertificateRequest } from '@peculiar/x509'
import type { SigningRequest } from './signing-request.js'
import { alternativeNames } from './x509.js'

const neededUsages = ['digital signature', 'server auth']
const permittedUsages = [...neededUsages, 'key encipherment']
const permittedKeys = ['P-256', 'P-384']

/** Checks a request against the rules in the README. Returns the first violation, or undefined. */
export async function problemWith(
  { spec }: SigningRequest,
  request: Pkcs10CertificateRequest,
  domain: string,
): Promise<string | undefined> {
  const { usages = [] } = spec
  const unknownUsage = usages.find(usage => !permittedUsages.includes(usage))
  if (unknownUsage !== undefined) return `usage "${unknownUsage}" is not permitted`
  const missingUsage = neededUsages.find(usage => !usages.includes(usage))
  if (missingUsage !== undefined) return `usage "${missingUsage}" is missing`

  const { namedCurve } = request.publicKey.algorithm as { namedCurve?: string }
  if (namedCurve === undefined || !permittedKeys.includes(namedCurve))
    return `the key must be on one of the curves ${permittedKeys.join(', ')}`

  const names = await alternativeNames(request)
  if (names.length === 0) return 'a DNS name is required'
  const otherName = names.find(({ type, value }) => type !== 'dns' || !value.endsWith(`.${domain}`))
  if (otherName) return `"${otherName.value}" is not a DNS name below ${domain}`

  const dnsNames: readonly string[] = names.map(({ value }) => value)
  const subject = request.subjectName.toJSON().flatMap(part => Object.entries(part))
  const isPlain = subject.every(([type, values]) => type === 'CN' && values.every(value => dnsNames.includes(value)))
  return isPlain ? undefined : 'the subject may only have one of the DNS names as common name'
}
