import type { Clock } from 'orch/sdk'
import { httpTransport, readText, type TransportRequest } from 'orch/sdk/client'

/** The discovery document of an issuer. Only the issuer and the address of its keys are validated. */
export interface IssuerDocument extends Readonly<Record<string, unknown>> {
  readonly issuer: string
  readonly jwks_uri: string
}

/** How long a document is cached. */
const freshForMs = 10 * 60_000
const timeoutMs = 10_000
const maxAnswerBytes = 1024 * 1024

export const isHttps = (address: unknown): address is string =>
  typeof address === 'string' && URL.canParse(address) && new URL(address).protocol === 'https:'

/** An OpenID Connect issuer, over https only: its discovery document, and requests to it. */
export class Issuer {
  readonly url: string
  readonly #discoveryUrl: string
  readonly #caPem: string | undefined
  readonly #clock: Clock
  #reading: Promise<IssuerDocument> | undefined
  #read: { readonly document: IssuerDocument; readonly at: number } | undefined

  /** `discoveryUrl` is the address of its discovery document, if that is not the usual one below its URL. */
  constructor(url: string, caPem: string | undefined, clock: Clock, discoveryUrl?: string) {
    this.url = url
    this.#discoveryUrl = discoveryUrl ?? `${url.replace(/\/$/, '')}/.well-known/openid-configuration`
    this.#caPem = caPem
    this.#clock = clock
  }

  /** Fetches its discovery document. */
  async discover(): Promise<IssuerDocument> {
    const document = await this.getJson(this.#discoveryUrl)
    const { issuer, jwks_uri: keysUrl } = (document ?? {}) as { issuer?: unknown; jwks_uri?: unknown }
    if (issuer !== this.url) throw new Error('the discovery document belongs to another issuer')
    if (!isHttps(keysUrl)) throw new Error('the discovery document has no https jwks_uri')
    this.#read = { document: document as IssuerDocument, at: this.#clock.now() }
    return this.#read.document
  }
  /** Its discovery document, a few minutes old at most. */
  async document(): Promise<IssuerDocument> {
    const read = this.#read
    if (read && this.#clock.now() - read.at < freshForMs) return read.document
    // Anonymous requests can trigger this fetch, so concurrent ones share it.
    this.#reading ??= this.discover().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async getJson(address: string): Promise<unknown> {
    const { status, text } = await this.send(address, { method: 'GET', headers: { accept: 'application/json' } })
    if (status !== 200) throw new Error(`${address} answered ${status}`)
    return JSON.parse(text)
  }
  /** Sends a request; time and size of the answer are limited. */
  async send(address: string, request: Omit<TransportRequest, 'path'>): Promise<{ status: number; text: string }> {
    const { origin, pathname, search } = new URL(address)
    const transport = httpTransport({ server: origin, ...(this.#caPem === undefined ? {} : { caPem: this.#caPem }) })
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const { status, body } = await transport({ ...request, path: pathname + search, signal })
      return { status, text: await readText(body, maxAnswerBytes) }
    } finally {
      await transport.close()
    }
  }
}
