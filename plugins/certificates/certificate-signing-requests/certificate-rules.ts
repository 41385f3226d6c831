import { type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import { parseCertificates } from '../signing/issued-certificates.js'
import { failed, hasCondition, isApproved, isIssued } from './request-state.js'
import type { CertificateSigningRequest } from './schema.js'

const field = 'status.certificate'

/** The certificate must be PEM, and nothing but certificates. */
export function validateCertificate({ status }: CertificateSigningRequest): FieldError[] {
  if (!status?.certificate) return []
  try {
    parseCertificates(Buffer.from(status.certificate, 'base64'))
    return []
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return [invalidValue(field, '<certificate data>', problem)]
  }
}

/** A certificate that was issued stays as it is. */
export const checkUnchanged = (sent: CertificateSigningRequest, stored: CertificateSigningRequest): FieldError[] =>
  isIssued(stored) && sent.status?.certificate !== stored.status?.certificate
    ? [forbiddenField(field, 'updates may not modify existing certificate content')]
    : []

/** Only an approved request has a certificate, and never one that failed. */
export function checkMayBeIssued(sent: CertificateSigningRequest): FieldError[] {
  if (!isIssued(sent)) return []
  if (hasCondition(sent, failed)) return [forbiddenField(field, 'must stay empty when the request failed')]
  return isApproved(sent) ? [] : [forbiddenField(field, 'may only be set when the request is approved')]
}
