import { Agent, request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { SeededRandom } from '../../fuzz/seeded-random.js'
import type { WatchSegment } from '../checker/operation.js'
import type { CommittedEvent, EventType } from '../checker/version.js'
import { type Violation, violation } from '../checker/violation.js'
import type { Endpoint } from './send-request.js'
import { isOurs, versionOf, type WrittenObject, type WrittenType } from './written-objects.js'

interface Line {
  readonly type: EventType | 'BOOKMARK' | 'ERROR'
  readonly object: WrittenObject & { readonly code?: number; readonly message?: string }
}

export interface WatcherOptions {
  readonly name: string
  readonly endpoints: readonly Endpoint[]
  readonly random: SeededRandom
  readonly type: WrittenType
  /** Watches after this revision. */
  readonly from: number
  /** Watches one key instead of all. */
  readonly key?: string
}

/** Watches without end: when its connection is lost, it goes on where it was, at any server. */
export class Watcher {
  readonly #options: WatcherOptions
  readonly #agent = new Agent({ keepAlive: false })
  #from: number
  #through: number
  #events: CommittedEvent[] = []
  #problems: Violation[] = []
  #isStopped = false
  #endConnection: (() => void) | undefined
  #running: Promise<void> | undefined
  /** How often it was connected. */
  connections = 0

  constructor(options: WatcherOptions) {
    this.#options = options
    this.#from = options.from
    this.#through = options.from
  }

  get name(): string {
    return this.#options.name
  }
  get key(): string | undefined {
    return this.#options.key
  }
  /** It has seen everything up to this revision. */
  get through(): number {
    return this.#through
  }

  start(): void {
    this.#running = (async () => {
      while (!this.#isStopped) {
        await this.#connect(this.#options.random.pick(this.#options.endpoints))
        if (!this.#isStopped) await pause(20)
      }
    })()
  }
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endConnection?.()
    await this.#running
    this.#agent.destroy()
  }

  /** What it saw up to a revision; the rest is kept for the next time. */
  take(upTo: number): WatchSegment {
    const { name, key } = this.#options
    const events = this.#events.filter(({ revision }) => revision <= upTo)
    this.#events = this.#events.filter(({ revision }) => revision > upTo)
    const segment = { watcher: name, key, from: this.#from, through: Math.min(upTo, this.#through), events }
    this.#from = segment.through
    return segment
  }
  takeProblems(): readonly Violation[] {
    const taken = this.#problems
    this.#problems = []
    return taken
  }

  #connect(endpoint: Endpoint): Promise<void> {
    const { random, key, type } = this.#options
    const query = [
      'watch=true&allowWatchBookmarks=true',
      `resourceVersion=${this.#through}`,
      `timeoutSeconds=${random.between(2, 20)}`,
      ...(key === undefined ? [] : [`fieldSelector=metadata.name%3D${key}`]),
    ].join('&')
    const { port, ca, token } = endpoint
    return new Promise(resolve => {
      const headers = { authorization: `Bearer ${token}` }
      const path = `${type.collectionPath}?${query}`
      const watching = request({ host: '127.0.0.1', port, ca, agent: this.#agent, path, headers })
      this.#endConnection = () => watching.destroy()
      watching.on('error', () => {})
      watching.on('close', resolve)
      watching.on('response', response => {
        response.on('error', () => {})
        // Anything else is a server that starts or stops; it is asked again.
        if (response.statusCode !== 200) return void response.resume()
        this.connections++
        let rest = ''
        response.setEncoding('utf8').on('data', (text: string) => {
          const lines = (rest + text).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) this.#read(line, endpoint)
        })
      })
      watching.end()
    })
  }

  #read(text: string, endpoint: Endpoint): void {
    let line: Line
    try {
      line = JSON.parse(text) as Line
    } catch {
      this.#problems.push(violation('a line of a watch is an event', `${this.name}: ${text.slice(0, 500)}`))
      return
    }
    this.#take(line, endpoint)
  }

  #take({ type, object }: Line, endpoint: Endpoint): void {
    if (type === 'ERROR') {
      // Histories are far shorter than what the servers keep, so no version that anyone was told may be too old.
      const told = `${this.name} at ${endpoint.name} from ${this.#through}: ${object.code} ${object.message}`
      if (object.code === 410) this.#problems.push(violation('what a watch has seen can be resumed', told))
      this.#endConnection?.()
      return
    }
    const version = versionOf(this.#options.type, object)
    if (type !== 'BOOKMARK' && isOurs(version.key)) this.#events.push({ ...version, type })
    this.#through = Math.max(this.#through, version.revision)
  }
}
