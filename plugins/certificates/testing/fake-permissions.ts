import type { AdmissionRequest, Authorizer, UserInfo } from 'orch/sdk'
import type { CertificateSigningRequest } from '../certificate-signing-requests/schema.js'
import { acmeNames } from './acme.js'

export const jane: UserInfo = { name: 'jane', groups: ['dev'] }

/** An authorizer that allows jane what is listed, as `verb signer`. */
export const permitting = (...allowed: readonly string[]): Authorizer => ({
  modes: [],
  authorize: () => ({ decision: 'noOpinion' }),
  rulesFor: async () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
  allows: async (user, verb, { group, resource, name }) =>
    user === jane && group === acmeNames.group && resource === 'signers' && allowed.includes(`${verb} ${name}`),
})

/** The admission request of an update by jane. */
export const written = (
  object: CertificateSigningRequest,
  oldObject: CertificateSigningRequest,
): AdmissionRequest<CertificateSigningRequest> => ({
  operation: 'update',
  user: jane,
  ...acmeNames.requests,
  kind: 'CertificateSigningRequest',
  subresource: '',
  namespace: '',
  name: 'a',
  pathName: 'a',
  object,
  oldObject,
  options: {},
  dryRun: false,
  requestVersion: 'v1',
  reinvoked: false,
  served: {} as never,
  releaseLock: () => {},
  timeLeftMs: () => Number.POSITIVE_INFINITY,
  signal: new AbortController().signal,
  warn: () => {},
  annotate: () => {},
})
