import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { testAuthority } from 'orch/sdk/testing'
import type { Folder } from './temporary-folder.js'

export interface Received {
  readonly path: string | undefined
  /** Common name of the client certificate. */
  readonly client: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
export interface ReceiverAnswer {
  readonly code: number
  readonly text: string
}

/** A server over TLS that demands a client certificate unless it is for everybody, for whatever is posted to it. */
export interface HttpsReceiver {
  readonly url: string
  /** Who signed its certificate. */
  readonly caPem: string
  /** Writes the client config file that leads here, and returns its path. */
  configFile(folder: Folder, changes?: { server?: string; current?: string }): string
  /** Goes away, and comes back under the same address. */
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startHttpsReceiver(
  answer: (received: Received) => ReceiverAnswer | Promise<ReceiverAnswer>,
  isForEverybody = false,
): Promise<HttpsReceiver> {
  const authority = await testAuthority()
  const { certificatePem: cert, keyPem: key } = await authority.server()
  const own = await authority.client('the-api-server')
  const server = createServer(
    { cert, key, ca: authority.caPem, requestCert: !isForEverybody, rejectUnauthorized: !isForEverybody },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', async () => {
        const client = String((request.socket as TLSSocket).getPeerCertificate()?.subject?.CN)
        const body = Buffer.concat(chunks).toString()
        const { code, text } = await answer({ path: request.url, client, headers: request.headers, body })
        response.writeHead(code, { 'content-type': 'application/json' }).end(text)
      })
    },
  )
  let port = 0
  const start = async () => {
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  await start()
  const url = `https://127.0.0.1:${port}/review`
  return {
    url,
    caPem: authority.caPem,
    start,
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
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
