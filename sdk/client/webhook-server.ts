import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { preventParserPause } from '../host/parser-pause.js'
import { answerReview, NotAReview, type WebhookHandler } from './webhook-review.js'

/** The handlers and the certificate of a webhook server. */
export interface WebhookServerOptions {
  /** The serving certificate, valid for the name that the API server uses. */
  readonly certificatePem: string
  readonly keyPem: string
  /** Only clients with a certificate of this authority may call. Without it everybody may. */
  readonly clientCaPem?: string
  /** Handlers by path: `{ '/default-widgets': handler }`. */
  readonly handlers: Readonly<Record<string, WebhookHandler<never>>>
  /** 127.0.0.1 unless given. */
  readonly host?: string
  /** A free one unless given. */
  readonly port?: number
  /** Called when a handler throws; the client only sees that the webhook failed. */
  onError?(error: unknown, path: string): void
}

/** A running webhook server. */
export interface WebhookServer {
  readonly url: string
  readonly port: number
  /** Uses another certificate for new connections. */
  renew(certificatePem: string, keyPem: string): void
  /** Stops and ends every connection. Twice is harmless. */
  close(): Promise<void>
}

/** Room for two objects of maximum size and the rest of a review. */
const maxBodyBytes = 8 * 1024 * 1024
/** The limit for responses that an API server has not read when it sends its next request. */
const unreadBytes = 16 * 1024 * 1024
/** An API server is never slower than this. */
const requestTimeoutMs = 30_000

/** Serves admission webhooks over HTTPS, and `GET /healthz` for health checks. */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { certificatePem, keyPem, clientCaPem, host = '127.0.0.1', port = 0 } = options
  const trust = clientCaPem === undefined ? {} : { ca: clientCaPem, requestCert: true, rejectUnauthorized: true }
  const server = createServer(
    { cert: certificatePem, key: keyPem, requestTimeout: requestTimeoutMs, ...trust },
    (request, response) => {
      handle(request, response, options).catch(error => {
        options.onError?.(error, request.url ?? '')
        send(response, 500, 'the webhook failed')
      })
    },
  )
  server.on('secureConnection', socket => preventParserPause(socket, unreadBytes))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address = server.address() as AddressInfo
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    renew: (cert, key) => server.setSecureContext({ cert, key, ...trust }),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { handlers }: WebhookServerOptions,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? ''
  if (path === '/healthz') return send(response, 200, 'ok')
  const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined
  if (!handler) return send(response, 404, 'there is no webhook here')
  if (request.method !== 'POST') return send(response, 405, 'only POST is supported')
  const body = await readBody(request)
  if (body === undefined) return send(response, 413, 'the review is too large')
  try {
    send(response, 200, await answerReview(body, handler), 'application/json')
  } catch (error) {
    if (!(error instanceof NotAReview)) throw error
    send(response, 400, error.message)
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > maxBodyBytes) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': type })
  response.end(body)
}
