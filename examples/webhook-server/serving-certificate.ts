import { KeyObject, randomUUID, webcrypto } from 'node:crypto'
import type { ApiObject, Vendor } from 'orch/sdk'
import { type Client, hasCondition } from 'orch/sdk/client'
import { x509 } from '../custom-signer/x509.js'

export interface ServingCertificate {
  readonly certificatePem: string
  readonly keyPem: string
}
interface SigningRequest extends ApiObject {
  spec: { request: string; signerName: string; usages: string[] }
  status?: { certificate?: string; conditions?: object[] }
}

/** How long to wait for the signer. */
const signerTimeoutMs = 30_000

/**
 * A serving certificate from the server's own CA: creates a key, which never leaves this process, and a request; approves
 * it, which requires permission; and waits for the signer. The built-in signer for serving certificates is that of node agents,
 * so the subject must look like one; clients only verify the names.
 */
export async function servingCertificate(
  client: Client,
  vendor: Vendor,
  names: readonly { type: 'dns' | 'ip'; value: string }[],
): Promise<ServingCertificate> {
  const library = await x509()
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const request = await library.Pkcs10CertificateRequestGenerator.create({
    name: [{ O: ['system:nodes'] }, { CN: ['system:node:webhook-server'] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: [new library.SubjectAlternativeNameExtension([...names])],
  })
  return {
    certificatePem: await signed(client, vendor, `${request.toString('pem')}\n`),
    keyPem: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

async function signed(client: Client, vendor: Vendor, requestPem: string): Promise<string> {
  const requests = client.resource<SigningRequest>({
    group: vendor.group('certificates'),
    version: 'v1',
    resource: 'certificatesigningrequests',
  })
  const name = `webhook-server-${randomUUID()}`
  const created = await requests.create({
    metadata: { name },
    spec: {
      request: Buffer.from(requestPem).toString('base64'),
      signerName: vendor.signer('nodeAgentServing'),
      usages: ['digital signature', 'key encipherment', 'server auth'],
    },
  })
  const approval = {
    type: 'Approved',
    status: 'True',
    reason: 'WebhookServer',
    message: 'approved by the webhook server',
  }
  await requests.updateSubresource('approval', { ...created, status: { conditions: [approval] } })
  const isDone = (object: SigningRequest) => Boolean(object.status?.certificate) || hasCondition('Failed')(object)
  const { status } = await requests.waitFor(name, isDone, { timeoutMs: signerTimeoutMs })
  if (!status?.certificate) throw new Error('the signer rejected the request for a serving certificate')
  return Buffer.from(status.certificate, 'base64').toString('utf8')
}
