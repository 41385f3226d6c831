import type { Transport, TransportRequest, TransportResponse } from 'orch/sdk/client'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import type { CallLink } from '../isolation/call-link.js'

/** A response body that arrives in chunks. */
class ArrivingBody implements AsyncIterable<Buffer> {
  readonly #pieces: Buffer[] = []
  readonly #cancel: () => void
  #wake: (() => void) | undefined
  #ended: { readonly error?: string } | undefined

  constructor(cancel: () => void) {
    this.#cancel = cancel
  }
  push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#wake?.()
  }
  end(error?: string): void {
    this.#ended ??= error === undefined ? {} : { error }
    this.#wake?.()
  }
  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    try {
      for (;;) {
        const piece = this.#pieces.shift()
        if (piece) yield piece
        else if (this.#ended?.error !== undefined) throw new Error(this.#ended.error)
        else if (this.#ended) return
        else
          await new Promise<void>(resolve => {
            this.#wake = resolve
          })
      }
    } finally {
      if (!this.#ended) this.#cancel()
    }
  }
}

/** Requests to the server through the link: this process needs neither network access nor a credential. */
export class LinkTransports {
  readonly #link: () => CallLink
  readonly #bodies = new Map<number, ArrivingBody>()
  #last = 0

  constructor(link: () => CallLink) {
    this.#link = link
  }

  /** The transport of a control loop, or of the plugin's other code. */
  as(loop: number | undefined): Transport {
    return request => this.#send(request, loop)
  }

  async #send(
    { method, path, headers, body, signal }: TransportRequest,
    loop: number | undefined,
  ): Promise<TransportResponse> {
    signal?.throwIfAborted()
    const id = ++this.#last
    const cancel = () => this.#cancel(id)
    const arriving = new ArrivingBody(cancel)
    this.#bodies.set(id, arriving)
    signal?.addEventListener('abort', cancel, { once: true })
    const bytes = body === undefined ? {} : { body: Buffer.from(body).toString('latin1') }
    const order = { id, method, path, headers, ...bytes, ...(loop === undefined ? {} : { loop }) }
    try {
      const head = await this.#link().call('request', order, Number.POSITIVE_INFINITY)
      if (!isObject(head)) throw new Error('the server did not answer')
      return { status: Number(head['status']), headers: Object.assign({}, head['headers']), body: arriving }
    } catch (thrown) {
      this.#bodies.delete(id)
      signal?.removeEventListener('abort', cancel)
      signal?.throwIfAborted()
      throw thrown
    }
  }

  receive({ id, bytes }: JsonObject): void {
    this.#bodies.get(Number(id))?.push(Buffer.from(String(bytes), 'latin1'))
  }
  end({ id, error }: JsonObject): void {
    this.#bodies.get(Number(id))?.end(error === undefined ? undefined : String(error))
    this.#bodies.delete(Number(id))
  }
  #cancel(id: number): void {
    this.#link().notify('cancel', { id })
    this.#bodies.get(id)?.end()
    this.#bodies.delete(id)
  }
}
