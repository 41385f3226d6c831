import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { testAuthority } from 'orch/sdk/testing'
import type { Folder } from '../../support/temporary-folder.js'

export interface ReceivedReview {
  readonly path: string | undefined
  /** Common name of the client certificate. */
  readonly client: string
  readonly review: {
    apiVersion: string
    kind: string
    spec: { token: string; audiences?: string[] }
    status?: unknown
  }
}
/** What it answers: the status of the review, or a whole answer. */
export type ReviewAnswer = { readonly status: object } | { readonly code: number; readonly text: string }

export interface TestWebhook {
  readonly received: ReceivedReview[]
  /** Writes the client config file that leads here, and returns its path. */
  configFile(folder: Folder, changes?: { server?: string; current?: string }): string
  close(): Promise<void>
}

/** A token webhook over TLS that demands a client certificate. */
export async function startTokenWebhook(answer: (received: ReceivedReview) => ReviewAnswer): Promise<TestWebhook> {
  const authority = await testAuthority()
  const { certificatePem: cert, keyPem: key } = await authority.server()
  const own = await authority.client('the-api-server')
  const received: ReceivedReview[] = []
  const server = createServer(
    { cert, key, ca: authority.caPem, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => {
        const review = JSON.parse(Buffer.concat(chunks).toString())
        const client = String((request.socket as TLSSocket).getPeerCertificate().subject?.CN)
        const one = { path: request.url, client, review }
        received.push(one)
        const given = answer(one)
        response.writeHead('code' in given ? given.code : 200, { 'content-type': 'application/json' })
        // The spec of an answer must be ignored, so it is wrong on purpose.
        const text = 'text' in given ? given.text : JSON.stringify({ ...review, spec: { token: 'x' }, ...given })
        response.end(text)
      })
    },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/review`
  return {
    received,
    configFile(folder, { server: address = url, current = 'c' } = {}) {
      folder.write('webhook-ca.pem', authority.caPem)
      folder.write('webhook-client.pem', own.certificatePem)
      folder.write('webhook-client.key', own.keyPem)
      return folder.write(
        'webhook.yaml',
        `apiVersion: v1
kind: Config
clusters: [{name: w, cluster: {server: "${address}", certificate-authority: webhook-ca.pem}}]
users: [{name: u, user: {client-certificate: webhook-client.pem, client-key: webhook-client.key}}]
contexts: [{name: c, context: {cluster: w, user: u}}]
current-context: ${current}
`,
      )
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
