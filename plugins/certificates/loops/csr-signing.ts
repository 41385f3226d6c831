import { type ServerFacts, services } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import { defineControlLoop } from 'orch/sdk/controllers'
import {
  conditionsOf,
  failed,
  hasCondition,
  isApproved,
  isIssued,
} from '../certificate-signing-requests/request-state.js'
import type {
  CertificateSigningRequest,
  CertificateSigningRequestStatus,
} from '../certificate-signing-requests/schema.js'
import type { CertificateNames } from '../names.js'
import { authorityOf, type SigningFiles } from '../signers/authorities.js'
import { builtInSigner, signerRules } from '../signers/built-in-signers.js'
import { issueCertificate } from '../signing/issue-certificate.js'
import { parseRequest } from '../signing/parse-request.js'
import { certificateAccount } from './account.js'

export interface SigningSettings {
  readonly files: SigningFiles
  /** Maximum lifetime of a certificate. */
  readonly maxLifetimeMs: number
}

/** Issues certificates of approved requests to the built-in signers, or marks the requests as failed. */
export const csrSigning = (names: CertificateNames, settings: SigningSettings) =>
  defineControlLoop({
    name: 'csrsigning',
    ...certificateAccount(names),
    needs: {
      server: services.server,
    },
    setUp({ server, ...runtime }) {
      // A missing or invalid file stops the start instead of failing every request.
      for (const files of Object.values(settings.files)) authorityOf(files, server)
      return {
        sources: [{ resource: names.requests }],
        reconcile: async (name, caches) => {
          const request = caches.of<CertificateSigningRequest>(names.requests).get('', name)
          const status = request && (await outcomeOf(request, names, settings, server, runtime.clock.now()))
          if (status) await writeStatus({ ...request, status }, names, runtime.client)
        },
      }
    },
  })

/** The status with a certificate or a failure added; undefined if there is nothing to do. */
async function outcomeOf(
  request: CertificateSigningRequest,
  names: CertificateNames,
  { files, maxLifetimeMs }: SigningSettings,
  server: ServerFacts,
  now: number,
): Promise<CertificateSigningRequestStatus | undefined> {
  if (!isApproved(request) || hasCondition(request, failed) || isIssued(request)) return undefined
  const signer = builtInSigner(names, request.spec.signerName)
  if (signer === undefined) return undefined
  const { usages = [], expirationSeconds } = request.spec
  const parsed = await parseRequest(Buffer.from(request.spec.request, 'base64'))
  const problem = signerRules[signer](parsed, usages)
  if (problem !== undefined) {
    const condition = { type: failed, status: 'True', reason: 'SignerValidationFailure', message: problem }
    return { ...request.status, conditions: [...conditionsOf(request), condition] }
  }
  const order = { usages, requestedSeconds: expirationSeconds, maxLifetimeMs, now }
  const pem = await issueCertificate(parsed, order, authorityOf(files[signer], server))
  return { ...request.status, certificate: Buffer.from(pem).toString('base64') }
}

function writeStatus(request: CertificateSigningRequest, names: CertificateNames, client: Client): Promise<unknown> {
  const requests = client.resource<CertificateSigningRequest>(names.requests)
  return unlessLost(requests.updateSubresource('status', request), 'Conflict', 'NotFound')
}
