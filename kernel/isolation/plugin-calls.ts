import type { Transport } from 'orch/sdk/client'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import type { CallLink, Handler } from './call-link.js'
import type { Outlet } from './paced-sending.js'

/** A control loop that runs in a plugin process. */
interface RunningLoop {
  readonly index: number
  readonly account: string
}

const maxRequests = 500
/** Size of the chunks in which response bodies are sent to the process. */
const chunkBytes = 256 * 1024
const startLoopMs = 30_000

/** The API requests and control loops of a plugin process, with the account that each of them uses. */
export class PluginCalls {
  /** Set once the plugin is part of a server. */
  transportFor: ((account: string) => Transport) | undefined
  /** The account of the plugin's code outside of control loops. */
  account = ''
  readonly #loops = new Map<number, RunningLoop>()
  readonly #requests = new Map<number, AbortController>()

  /** The calls that the process may make to the server. */
  handlers(outlet: Outlet): Record<string, Handler> {
    return {
      request: content => this.#request(content, outlet),
      cancel: ({ id }) => (typeof id === 'number' ? this.#requests.get(id)?.abort() : undefined),
    }
  }

  started(index: number, account: string): void {
    this.#loops.set(index, { index, account })
  }
  stopped(index: number): void {
    this.#loops.delete(index)
  }
  /** In a new process: restarts the loops that ran in the previous one. */
  async resume(link: CallLink): Promise<void> {
    for (const loop of this.#loops.values()) await link.call('startLoop', { loop: loop.index }, startLoopMs)
  }
  /** The process is gone, and with it the callers of these requests. */
  interrupt(): void {
    for (const request of this.#requests.values()) request.abort()
    this.#requests.clear()
  }
  close(): void {
    this.#loops.clear()
    this.interrupt()
  }

  /** Answers with status and headers; the body follows in chunks. */
  async #request({ id, loop, method, path, headers, body }: JsonObject, outlet: Outlet): Promise<object> {
    const account = typeof loop === 'number' ? this.#loops.get(loop)?.account : this.account
    if (typeof id !== 'number' || typeof method !== 'string' || typeof path !== 'string' || !isObject(headers))
      throw new Error('no request')
    if (account === undefined || account === '')
      throw new Error('it has no account: declare what it accesses under permissions.resources')
    if (this.#requests.has(id)) throw new Error(`request ${id} is already in flight`)
    if (this.#requests.size >= maxRequests) throw new Error(`${maxRequests} of its requests are already in flight`)
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
      void this.#pass(id, stream, controller.signal, outlet)
      return { status, headers: answered }
    } catch (thrown) {
      this.#forget(id, controller.signal)
      throw thrown
    }
  }

  /** While the process does not read, the body is not read either, so it does not fill the memory of the server. */
  async #pass(id: number, body: AsyncIterable<Buffer>, signal: AbortSignal, { notify, room }: Outlet): Promise<void> {
    try {
      for await (const piece of body)
        for (let at = 0; at < piece.length; at += chunkBytes) {
          await room(signal)
          if (signal.aborted) return
          notify('chunk', { id, bytes: piece.toString('latin1', at, at + chunkBytes) })
        }
      notify('end', { id })
    } catch (error) {
      if (!signal.aborted) notify('end', { id, error: String(error) })
    } finally {
      this.#forget(id, signal)
    }
  }
  /** The id may have been used again since. */
  #forget(id: number, signal: AbortSignal): void {
    if (this.#requests.get(id)?.signal === signal) this.#requests.delete(id)
  }
}
