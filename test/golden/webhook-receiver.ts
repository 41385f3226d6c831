import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConversionAnswer, convert, isConversionReview } from './conversion-review.js'
import { answerAsExtension, type ExtensionServer, parsed } from './extension-server.js'
import { ExternalServices } from './external-services.js'
import { valueAt } from './json-paths.js'

/** The response of a webhook of a scenario. */
interface WebhookAnswer extends ConversionAnswer {
  readonly delayMs?: number
  readonly httpStatus?: number
  readonly text?: string
  readonly raw?: unknown
  readonly allowed?: boolean
  readonly status?: unknown
  readonly warnings?: unknown
  readonly auditAnnotations?: unknown
  readonly patch?: unknown
  readonly patchType?: string
  readonly apiVersion?: string
}
export interface WebhookCall {
  readonly path: string
  readonly contentType: string | undefined
  readonly review: unknown
}
export interface Webhook {
  readonly answer: WebhookAnswer
  /** One per call; the last one repeats. */
  readonly answers: readonly WebhookAnswer[]
  readonly calls: WebhookCall[]
}

/**
 * The server that the server under test calls: webhooks by the first segment of the path, extension servers by their group, and
 * the external services.
 */
export class WebhookReceiver {
  readonly webhooks = new Map<string, Webhook>()
  readonly extensions = new Map<string, ExtensionServer>()
  readonly external: ExternalServices
  readonly caBundle: string
  readonly #server: Server
  readonly #host: string

  private constructor(fixtures: string, host: string) {
    const read = (name: string) => readFileSync(join(fixtures, name))
    this.#host = host
    this.external = new ExternalServices(fixtures)
    this.caBundle = read('webhook-ca.pem').toString('base64')
    this.#server = createServer({ cert: read('webhook.pem'), key: read('webhook-key.pem') }, (request, response) => {
      this.#receive(request, response).catch(() => response.destroy())
    })
  }

  static async start(fixtures: string, host: string, port: number): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(fixtures, host)
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once('error', reject)
      receiver.#server.listen(port, host, resolve)
    })
    return receiver
  }

  get url(): string {
    return `https://${this.#host}:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const path = (request.url ?? '').split('?')[0] ?? ''
    const [, key = '', group = ''] = path.split('/')
    const extension = this.extensions.get(key === 'apis' && this.extensions.has(group) ? group : key)
    if (extension) return answerAsExtension(extension, request, response, body)
    const review = parsed(body)
    const webhook = this.webhooks.get(key)
    if (!webhook) {
      const builtIn = this.external.answer(path, review, `${this.url}/oidc`)
      if (builtIn) sendJson(response, builtIn.status ?? 200, builtIn.body)
      else response.writeHead(404).end()
      return
    }
    webhook.calls.push({ path: path.replace(`/${key}`, ''), contentType: request.headers['content-type'], review })
    const { answers, calls } = webhook
    await send(response, answers[Math.min(calls.length, answers.length) - 1] ?? webhook.answer, review)
  }
}

async function send(response: ServerResponse, answer: WebhookAnswer, review: unknown): Promise<void> {
  if (answer.delayMs) await sleep(answer.delayMs)
  if (answer.httpStatus) {
    response.writeHead(answer.httpStatus, { 'content-type': 'text/plain' }).end(answer.text ?? '')
    return
  }
  if (answer.raw !== undefined) return sendJson(response, 200, answer.raw)
  if (isConversionReview(review)) return sendJson(response, 200, convert(review, answer))
  const { status, warnings, auditAnnotations, patch, patchType = 'JSONPatch' } = answer
  sendJson(response, 200, {
    apiVersion: answer.apiVersion || valueAt(review, 'apiVersion'),
    kind: 'AdmissionReview',
    response: {
      uid: answer.uid ?? valueAt(review, 'request.uid'),
      allowed: answer.allowed !== false,
      ...(status ? { status } : {}),
      ...(warnings ? { warnings } : {}),
      ...(auditAnnotations ? { auditAnnotations } : {}),
      ...(patch ? { patchType, patch: Buffer.from(JSON.stringify(patch)).toString('base64') } : {}),
    },
  })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
