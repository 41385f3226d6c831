import type { Transport } from 'orch/sdk/client'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import type { CallLink, Handler } from './call-link.js'

type Tell = (topic: string, content: object) => void

/** A loop that runs in the process of a plugin. */
interface RunningLoop {
  readonly index: number
  readonly account: string
}

const maxRequests = 500
/** Pieces of bodies on their way to the process. */
const chunkBytes = 256 * 1024
const startLoopMs = 30_000

/** The requests that a plugin makes from its process, and its loops, as whose account it makes them. */
export class PluginCalls {
  /** Known once the plugin is part of a server. */
  transportFor: ((account: string) => Transport) | undefined
  /** The account of its code outside of loops. */
  account = ''
  readonly #loops = new Map<number, RunningLoop>()
  readonly #requests = new Map<number, AbortController>()

  /** What the process may ask of the server. */
  handlers(tell: Tell): Record<string, Handler> {
    return {
      request: content => this.#request(content, tell),
      cancel: ({ id }) => (typeof id === 'number' ? this.#requests.get(id)?.abort() : undefined),
    }
  }

  started(index: number, account: string): void {
    this.#loops.set(index, { index, account })
  }
  stopped(index: number): void {
    this.#loops.delete(index)
  }
  /** In a new process: starts the loops that ran in the one before. */
  async resume(link: CallLink): Promise<void> {
    for (const loop of this.#loops.values()) await link.call('startLoop', { loop: loop.index }, startLoopMs)
  }
  /** The process is gone, and with it whoever waits for these. */
  interrupt(): void {
    for (const request of this.#requests.values()) request.abort()
    this.#requests.clear()
  }
  close(): void {
    this.#loops.clear()
    this.interrupt()
  }

  /** Answers with the head; the body follows in pieces. */
  async #request({ id, loop, method, path, headers, body }: JsonObject, tell: Tell): Promise<object> {
    const account = typeof loop === 'number' ? this.#loops.get(loop)?.account : this.account
    if (typeof id !== 'number' || typeof method !== 'string' || typeof path !== 'string' || !isObject(headers))
      throw new Error('no request')
    if (account === undefined || account === '')
      throw new Error('it has no account: name what it does under permissions.resources')
    if (this.#requests.size >= maxRequests) throw new Error(`${maxRequests} requests of it are under way already`)
    if (!this.transportFor) throw new Error('the server has not started')
    const controller = new AbortController()
    this.#requests.set(id, controller)
    try {
      const {
        status,
        headers: answered,
        body: stream,
      } = await this.transportFor(account)({
        method,
        path,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ...(typeof body === 'string' ? { body: Buffer.from(body, 'latin1') } : {}),
        signal: controller.signal,
      })
      void this.#pass(id, stream, controller, tell)
      return { status, headers: answered }
    } catch (thrown) {
      this.#requests.delete(id)
      throw thrown
    }
  }

  async #pass(id: number, body: AsyncIterable<Buffer>, controller: AbortController, tell: Tell): Promise<void> {
    try {
      for await (const piece of body) {
        if (controller.signal.aborted) break
        for (let at = 0; at < piece.length; at += chunkBytes)
          tell('chunk', { id, bytes: piece.toString('latin1', at, at + chunkBytes) })
      }
      tell('end', { id })
    } catch (error) {
      tell('end', { id, error: String(error) })
    } finally {
      this.#requests.delete(id)
    }
  }
}
