import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Behaviour, Order, Reply, SeenCall, WebhookKeys } from './behaviour.js'

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** The test side of a webhook in a separate process. */
export class ScriptedWebhook {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, (value: unknown) => void>()
  #nextId = 1
  url = ''
  port = 0

  private constructor() {
    this.#process = fork(fileURLToPath(new URL('./webhook-process.js', import.meta.url)))
    this.#process.on('message', ({ id, value }: Reply) => {
      this.#waiting.get(id)?.(value)
      this.#waiting.delete(id)
    })
  }

  static async start(keys: WebhookKeys): Promise<ScriptedWebhook> {
    const webhook = new ScriptedWebhook()
    webhook.port = (await webhook.#order({ do: 'start', keys })) as number
    webhook.url = `https://127.0.0.1:${webhook.port}`
    return webhook
  }

  /** Sets the responses to calls of a path, in order; the last one repeats. Earlier calls are discarded. */
  async behave(path: string, ...behaviours: Behaviour[]): Promise<void> {
    await this.#order({ do: 'behave', path, behaviours })
  }
  /** The calls since the last look. */
  async takeCalls(path: string): Promise<SeenCall[]> {
    return (await this.#order({ do: 'take-calls', path })) as SeenCall[]
  }
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = new Promise(resolve => this.#process.once('exit', resolve))
    this.#process.kill('SIGKILL')
    await gone
  }

  #order(order: WithoutId<Order>): Promise<unknown> {
    const id = this.#nextId++
    return new Promise(resolve => {
      this.#waiting.set(id, resolve)
      this.#process.send({ ...order, id })
    })
  }
}
