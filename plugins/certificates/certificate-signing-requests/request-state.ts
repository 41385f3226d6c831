import type { CertificateSigningRequest, CertificateSigningRequestCondition } from './schema.js'

export const approved = 'Approved'
export const denied = 'Denied'
export const failed = 'Failed'
/** Conditions that decide a request: they are true or absent, and cannot be removed. */
export const decisions: readonly string[] = [approved, denied, failed]

type Request = Pick<CertificateSigningRequest, 'status'>

export const conditionsOf = ({ status }: Request): readonly CertificateSigningRequestCondition[] =>
  status?.conditions ?? []
export const hasCondition = (request: Request, type: string): boolean =>
  conditionsOf(request).some(condition => condition.type === type)
export const isApproved = (request: Request): boolean =>
  hasCondition(request, approved) && !hasCondition(request, denied)
export const isIssued = ({ status }: Request): boolean => (status?.certificate ?? '') !== ''
