import { fork } from 'node:child_process'
import type { ClientCalls } from './client-process.js'

/** Runs the load in a separate process, so that its CPU time is counted separately. */
export class LoadClient {
  readonly #process = fork(new URL('./client-process.js', import.meta.url), { serialization: 'advanced' })
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  #lastId = 0

  constructor() {
    this.#process.on('message', (message: { id: number; result?: never; error?: string }) => {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.error === undefined) waiting?.resolve(message.result as never)
      else waiting?.reject(new Error(message.error))
    })
    this.#process.on('exit', code => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`the load process ended with ${code}`))
    })
  }

  do<C extends keyof ClientCalls>(
    call: C,
    argument: Parameters<ClientCalls[C]>[0],
  ): Promise<Awaited<ReturnType<ClientCalls[C]>>> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve: resolve as (result: never) => void, reject })
      this.#process.send({ id, call, argument })
    })
  }

  close(): void {
    this.#process.disconnect()
  }
}
