import type { ApiObject } from 'orch/sdk'

/** The parts of a CertificateSigningRequest that a signer reads and writes. */
export interface SigningRequest extends ApiObject {
  readonly spec: {
    /** PKCS#10, PEM, base64. */
    readonly request: string
    readonly signerName: string
    readonly usages?: readonly string[]
    readonly expirationSeconds?: number
    readonly username?: string
  }
  readonly status?: {
    readonly certificate?: string
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly [field: string]: unknown
    }[]
  }
}

export const hasCondition = ({ status }: SigningRequest, type: string): boolean =>
  (status?.conditions ?? []).some(condition => condition.type === type)

/** Approved, and neither issued nor failed. */
export const isWaiting = (request: SigningRequest): boolean =>
  hasCondition(request, 'Approved') && !hasCondition(request, 'Failed') && !request.status?.certificate
