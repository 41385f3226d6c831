import { Agent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { SeededRandom } from '../../fuzz/seeded-random.js'
import type { ListKind, WriteKind } from '../checker/operation.js'
import type { Gate } from './gate.js'
import type { History } from './history.js'
import { performGet, performList } from './read-operations.js'
import { type Answer, type Endpoint, type Request, sendRequest } from './send-request.js'
import { type Intent, performWrite } from './write-operations.js'
import { makeValue, sharedKeys } from './written-objects.js'

/** How often each is done, out of all. */
const weights: Readonly<Record<WriteKind | 'get' | 'list' | 'pages' | 'exact', number>> = {
  create: 14,
  update: 18,
  apply: 12,
  patch: 14,
  delete: 8,
  get: 16,
  list: 7,
  pages: 6,
  exact: 5,
}
const choices = Object.entries(weights).flatMap(([kind, weight]) => Array<string>(weight).fill(kind))
const longestPadding = 6000

/** Sends requests sequentially, to any server, until it is stopped. */
export class Client {
  readonly name: string
  readonly #endpoints: readonly Endpoint[]
  readonly #history: History
  protected readonly random: SeededRandom
  /** The average pause between operations. */
  protected readonly thinkMs: number = 25
  readonly #agents = new Map<Endpoint, Agent>()
  #written = 0
  /** Set after a response that it could not read. */
  failure: string | undefined
  #isStopped = false
  #running: Promise<void> | undefined

  constructor(name: string, endpoints: readonly Endpoint[], history: History, random: SeededRandom) {
    this.name = name
    this.#endpoints = endpoints
    this.#history = history
    this.random = random
    for (const endpoint of endpoints) this.#agents.set(endpoint, new Agent({ keepAlive: true, maxSockets: 1 }))
  }

  start(gate: Gate): void {
    this.#running = this.#run(gate).catch((error: unknown) => {
      this.failure = error instanceof Error ? error.message : String(error)
    })
  }
  async #run(gate: Gate): Promise<void> {
    while (!this.#isStopped) {
      await gate.pass(() => this.step())
      await pause(this.random.between(0, 2 * this.thinkMs))
    }
  }
  /** Ends after the current operation. The gate must be open. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
    for (const agent of this.#agents.values()) agent.destroy()
  }

  /** Sends to a server of the client's choice. */
  send = (request: Request): Promise<Answer> => this.sendTo(this.random.pick(this.#endpoints), request)
  async sendTo(endpoint: Endpoint, request: Request): Promise<Answer> {
    const answer = await sendRequest(endpoint, this.#agents.get(endpoint)!, request)
    if (answer.is === 'answered') this.#history.countStatus(answer.status)
    return answer
  }

  /** A unique value. */
  newValue(): string {
    const length = this.random.between(0, 3) === 0 ? this.random.between(1, longestPadding) : 0
    return makeValue(this.name, this.#written++, length)
  }
  write = (intent: Intent, send = this.send) => performWrite(this.name, intent, send, this.#history)

  get = (key: string, send = this.send) => performGet(this.name, key, send, this.#history)
  list = (kind: ListKind, query: string, send = this.send) => performList(this.name, kind, query, send, this.#history)

  protected async step(): Promise<void> {
    const { random } = this
    const kind = random.pick(choices)
    const key = random.pick(sharedKeys)
    const { epochStart, newest } = this.#history
    switch (kind) {
      case 'get':
        await this.get(key)
        break
      case 'list':
        await this.list('list', '')
        break
      case 'pages':
        await this.list('pages', `limit=${random.between(1, 4)}`)
        break
      case 'exact':
        await this.list('exact', `resourceVersion=${random.between(epochStart, newest)}&resourceVersionMatch=Exact`)
        break
      default:
        await this.write({ kind: kind as WriteKind, key, ...this.#details(kind as WriteKind, key) })
    }
  }

  #details(kind: WriteKind, key: string): Pick<Intent, 'value' | 'expect'> {
    const latest = this.#history.latestOf(key)?.revision
    const isGuarded = kind === 'update' || (kind !== 'create' && kind !== 'apply' && this.random.between(0, 1) === 0)
    // An unknown precondition must not be omitted: one that is never satisfied is used instead.
    const expect = isGuarded ? (latest ?? 1) : undefined
    return kind === 'delete' ? { expect } : { expect, value: this.newValue() }
  }
}
