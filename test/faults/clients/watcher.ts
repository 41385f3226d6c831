import { Agent, request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { SeededRandom } from '../../fuzz/seeded-random.js'
import type { ListOperation, WatchSegment } from '../checker/operation.js'
import type { CommittedEvent, EventType, Version } from '../checker/version.js'
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
  /** Uses a streaming list for every connection. */
  readonly streamsLists?: boolean
}

/** The observations of a watcher: events without a gap, and the initial states of streaming lists. */
export interface Watched {
  readonly segments: readonly WatchSegment[]
  readonly lists: readonly ListOperation[]
}

/** The initial state of a streaming list, until its final bookmark. */
interface InitialState {
  readonly start: number
  /** The minimum version; undefined for the newest. */
  readonly notOlderThan: number | undefined
  readonly items: Version[]
}
const endOfState = /\/initial-events-end$/

/** Watches forever: when its connection is lost, it resumes or starts over, at any server. */
export class Watcher {
  readonly #options: WatcherOptions
  readonly #agent = new Agent({ keepAlive: false })
  #from: number
  #through: number
  #events: CommittedEvent[] = []
  /** Its observations before a streaming list started over. */
  #segments: WatchSegment[] = []
  #lists: ListOperation[] = []
  #initial: InitialState | undefined
  #problems: Violation[] = []
  #isStopped = false
  #endConnection: (() => void) | undefined
  #running: Promise<void> | undefined
  /** How often it was connected. */
  connections = 0
  /** How often a streaming list was complete. */
  states = 0

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

  /** Returns its observations up to a revision; the rest is kept for the next call. */
  take(upTo: number): Watched {
    const { name, key } = this.#options
    const open = { watcher: name, key, from: this.#from, through: this.#through, events: this.#events }
    const segments = [...this.#segments, open]
    this.#segments = this.#segments.filter(({ through }) => through > upTo).map(segment => after(segment, upTo))
    ;({ from: this.#from, events: this.#events } = after(open, upTo))
    const lists = this.#lists.filter(({ revision }) => revision <= upTo)
    this.#lists = this.#lists.filter(({ revision }) => revision > upTo)
    return { segments: segments.filter(({ from }) => from <= upTo).map(segment => before(segment, upTo)), lists }
  }
  takeProblems(): readonly Violation[] {
    const taken = this.#problems
    this.#problems = []
    return taken
  }

  #connect(endpoint: Endpoint): Promise<void> {
    const { random, key, type, streamsLists = false } = this.#options
    const isNewest = streamsLists && random.between(0, 1) === 0
    const notOlderThan = isNewest ? undefined : this.#through
    this.#initial = streamsLists ? { start: performance.now(), notOlderThan, items: [] } : undefined
    const query = [
      'watch=true&allowWatchBookmarks=true',
      ...(notOlderThan === undefined ? [] : [`resourceVersion=${notOlderThan}`]),
      ...(streamsLists ? ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan'] : []),
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
        // Any other status is a server that starts or stops; the request is retried.
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
      // The servers keep far more history than a run has, so no version may be too old.
      const told = `${this.name} at ${endpoint.name} from ${this.#through}: ${object.code} ${object.message}`
      if (object.code === 410) this.#problems.push(violation('a watch can be resumed at any received revision', told))
      this.#endConnection?.()
      return
    }
    const version = versionOf(this.#options.type, object)
    if (this.#initial) return this.#takeInitial(this.#initial, type, object, version)
    if (type !== 'BOOKMARK' && isOurs(version.key)) this.#events.push({ ...version, type })
    this.#through = Math.max(this.#through, version.revision)
  }

  /** The initial state counts only when it is complete, because the connection may be lost before. */
  #takeInitial(initial: InitialState, type: Line['type'], object: WrittenObject, version: Version): void {
    const { start, notOlderThan = 0, items } = initial
    const { name: watcher, key } = this.#options
    if (type === 'ADDED') {
      if (isOurs(version.key)) items.push(version)
      return
    }
    const isEnd = Object.keys(object.metadata.annotations ?? {}).some(each => endOfState.test(each))
    const { revision } = version
    if (type !== 'BOOKMARK' || !isEnd || revision < notOlderThan) {
      const told = `${watcher} from ${notOlderThan}: ${type} at ${revision} before its state was complete`
      this.#problems.push(violation('a streaming list is an initial state and its final bookmark', told))
      return
    }
    const kind = initial.notOlderThan === undefined ? 'list' : 'exact'
    items.sort((left, right) => (left.key < right.key ? -1 : 1))
    const timed = { client: watcher, outcome: 'ok', start, end: performance.now() } as const
    this.#lists.push({ ...timed, kind, revision, items, isWhole: true })
    this.#segments.push({ watcher, key, from: this.#from, through: this.#through, events: this.#events })
    this.#initial = undefined
    this.states++
    this.#from = this.#through = revision
    this.#events = []
  }
}

const before = (segment: WatchSegment, upTo: number): WatchSegment => ({
  ...segment,
  through: Math.min(upTo, segment.through),
  events: segment.events.filter(({ revision }) => revision <= upTo),
})
const after = ({ from, through, events, ...rest }: WatchSegment, upTo: number) => ({
  ...rest,
  from: Math.max(from, Math.min(upTo, through)),
  through,
  events: events.filter(({ revision }) => revision > upTo),
})
