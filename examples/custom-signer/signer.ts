import { ApiError, type Clock, type Logger } from 'orch/sdk'
import type { Client, ResourceRef } from 'orch/sdk/client'
import { startControlLoop } from 'orch/sdk/controllers'
import { type Authority, issue } from './issue.js'
import { problemWith } from './rules.js'
import { isWaiting, type SigningRequest } from './signing-request.js'
import { x509 } from './x509.js'

export interface SignerSettings {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  /** The collection of CertificateSigningRequests. */
  readonly requests: ResourceRef
  readonly signerName: string
  readonly domain: string
  readonly maxDurationMs: number
  readonly authority: Authority
}

/** Certificates are backdated for clients whose clock is behind. */
const clockSkewMs = 60_000

/** Starts the loop that processes approved requests for this signer. */
export function startSigner(settings: SignerSettings): Promise<() => Promise<void>> {
  const { client, clock, logger, requests, signerName } = settings
  return startControlLoop({
    name: 'service-signer',
    client,
    clock,
    logger,
    // The server filters, so requests of other signers are not received.
    sources: [{ resource: requests, fieldSelector: `spec.signerName=${signerName}` }],
    reconcile: async (name, caches) => {
      const request = caches.of<SigningRequest>(requests).get('', name)
      if (request && isWaiting(request)) await write(settings, request, await answer(settings, request))
    },
  })
}

/** The status with a certificate, or with the reason why there is none. */
async function answer(settings: SignerSettings, request: SigningRequest): Promise<SigningRequest['status']> {
  const { clock, domain, maxDurationMs, authority } = settings
  const { Pkcs10CertificateRequest } = await x509()
  // The server has already validated the request and its signature.
  const parsed = new Pkcs10CertificateRequest(Buffer.from(request.spec.request, 'base64').toString())
  const problem = await problemWith(request, parsed, domain)
  if (problem !== undefined) {
    const failure = { type: 'Failed', status: 'True', reason: 'RuleBroken', message: problem }
    return { ...request.status, conditions: [...(request.status?.conditions ?? []), failure] }
  }
  const now = clock.now()
  const { usages = [], expirationSeconds = Number.POSITIVE_INFINITY } = request.spec
  const validity = {
    notBefore: new Date(now - clockSkewMs),
    notAfter: new Date(now + Math.min(expirationSeconds * 1000, maxDurationMs)),
  }
  const pem = await issue(parsed, usages, validity, authority)
  return { ...request.status, certificate: Buffer.from(pem).toString('base64') }
}

async function write({ client, requests }: SignerSettings, request: SigningRequest, status: SigningRequest['status']) {
  try {
    await client
      .resource<SigningRequest>(requests)
      .updateSubresource('status', { ...request, status } as SigningRequest)
  } catch (error) {
    // The request was changed or deleted meanwhile, which triggers another reconcile.
    if (!(error instanceof ApiError && (error.reason === 'Conflict' || error.reason === 'NotFound'))) throw error
  }
}
