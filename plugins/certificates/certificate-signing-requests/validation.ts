import { duplicate, type FieldError, invalidValue, notSupported, repeats, required } from 'orch/sdk'
import type { CertificateNames } from '../names.js'
import { allUsages } from '../signing/key-usages.js'
import { checkSignature, parseRequest } from '../signing/parse-request.js'
import type { CertificateSigningRequest, CertificateSigningRequestSpec } from './schema.js'
import { validateSignerName } from './signer-name.js'

/** Shorter certificates would be outdated before they are used. */
const minExpirationSeconds = 600

/** A new request. It never changes again but for its status, so that this is asked once. */
export async function validateRequest(
  { spec }: CertificateSigningRequest,
  names: CertificateNames,
): Promise<FieldError[]> {
  return [
    ...(await checkRequest(spec)),
    ...checkUsages(spec.usages ?? []),
    ...checkSigner(spec.signerName, names),
    ...checkExpiration(spec.expirationSeconds),
  ]
}

async function checkRequest({ request }: CertificateSigningRequestSpec): Promise<FieldError[]> {
  try {
    // A request that is missing is null here: the field must be written, but nobody did.
    await checkSignature(await parseRequest(Buffer.from(request ?? '', 'base64')))
    return []
  } catch (error) {
    return [invalidValue('spec.request', request, error instanceof Error ? error.message : String(error))]
  }
}

function checkUsages(usages: readonly string[]): FieldError[] {
  const field = (index: number) => `spec.usages[${index}]`
  const isKnown = (usage: string) => (allUsages as readonly string[]).includes(usage)
  return [
    ...(usages.length === 0 ? [required('spec.usages')] : []),
    ...usages.flatMap((usage, index) =>
      isKnown(usage) ? [] : [notSupported(field(index), usage, [...allUsages].sort())],
    ),
    ...repeats(usages).flatMap((isRepeat, index) => (isRepeat ? [duplicate(field(index), usages[index])] : [])),
  ]
}

function checkSigner(signerName: string, { legacyUnknownSigner }: CertificateNames): FieldError[] {
  const field = 'spec.signerName'
  if (signerName === legacyUnknownSigner)
    return [invalidValue(field, signerName, 'the legacy signerName is not allowed via this API version')]
  return validateSignerName(signerName, field)
}

function checkExpiration(expirationSeconds: number | undefined): FieldError[] {
  if (expirationSeconds === undefined || expirationSeconds >= minExpirationSeconds) return []
  const rule = `may not specify a duration less than ${minExpirationSeconds} seconds (10 minutes)`
  return [invalidValue('spec.expirationSeconds', expirationSeconds, rule)]
}
