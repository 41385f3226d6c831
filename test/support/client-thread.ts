import { Worker } from 'node:worker_threads'

export interface ThreadRequest {
  readonly id: number
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}
export interface ThreadAnswer {
  readonly id: number
  /** 0 when the connection failed. */
  readonly status: number
  readonly text: string
}

/** A client in a separate thread, so that the event loop of the process belongs to the server alone. */
export class ClientThread {
  readonly #worker = new Worker(new URL('./client-worker.js', import.meta.url))
  readonly #waiting = new Map<number, (answer: ThreadAnswer) => void>()
  readonly #baseUrl: string
  readonly #token: string
  #lastId = 0

  constructor(server: { readonly baseUrl: string; readonly token: string }) {
    this.#baseUrl = server.baseUrl
    this.#token = server.token
    this.#worker.unref()
    this.#worker.on('message', (answer: ThreadAnswer) => {
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  ask(
    method: string,
    path: string,
    body?: object | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ThreadAnswer> {
    const id = ++this.#lastId
    const request: ThreadRequest = {
      id,
      url: this.#baseUrl + path,
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    }
    return new Promise(resolve => {
      this.#waiting.set(id, resolve)
      this.#worker.postMessage(request)
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
