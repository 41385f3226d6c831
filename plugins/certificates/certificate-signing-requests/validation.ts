import { duplicate, type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { repeats, validateSignerName } from 'orch/sdk/validation'
import type { CertificateNames } from '../names.js'
import { checkSignature, parseRequest } from '../signing/parse-request.js'
import type { CertificateSigningRequest, CertificateSigningRequestSpec } from './schema.js'

/** Validates a new request. Its spec is immutable, so this runs once. */
export async function validateRequest(
  { spec }: CertificateSigningRequest,
  names: CertificateNames,
): Promise<FieldError[]> {
  return [...(await checkRequest(spec)), ...checkUsages(spec.usages ?? []), ...checkSigner(spec.signerName, names)]
}

async function checkRequest({ request }: CertificateSigningRequestSpec): Promise<FieldError[]> {
  try {
    // A missing request is null here: the field is required, but was not set.
    await checkSignature(await parseRequest(Buffer.from(request ?? '', 'base64')))
    return []
  } catch (error) {
    return [invalidValue('spec.request', request, error instanceof Error ? error.message : String(error))]
  }
}

function checkUsages(usages: readonly string[]): FieldError[] {
  const field = (index: number) => `spec.usages[${index}]`
  return [
    ...(usages.length === 0 ? [requiredValue('spec.usages')] : []),
    ...repeats(usages).flatMap((isRepeat, index) => (isRepeat ? [duplicate(field(index), usages[index])] : [])),
  ]
}

function checkSigner(signerName: string, { legacyUnknownSigner }: CertificateNames): FieldError[] {
  const field = 'spec.signerName'
  if (signerName === legacyUnknownSigner)
    return [invalidValue(field, signerName, 'the legacy signerName is not allowed via this API version')]
  return validateSignerName(signerName, field)
}
