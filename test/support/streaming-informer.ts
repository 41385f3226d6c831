import type { Connection, Thing, WatchEvent } from '../workers/connection.js'

/** What an informer may see between two bookmarks that mark the end of a state. */
export interface InformerCounts {
  /** How often it took the whole state by a streaming list. */
  states: number
  /** How often it went on from a version. */
  resumes: number
  /** How often it heard that its version is forgotten. */
  expired: number
  events: number
}

const marked = 'orch.io/initial-events-end'
const streamingList = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
const keyOf = ({ metadata }: Thing) => metadata.name
const revisionOf = ({ metadata }: Thing) => Number(metadata.resourceVersion)

/**
 * A cache of a collection by streaming lists, as in current clients: the initial state comes through the watch, a final bookmark
 * completes it, and changes follow in the same stream. Inconsistencies are recorded as problems.
 */
export class StreamingInformer {
  readonly objects = new Map<string, number>()
  readonly problems: string[] = []
  readonly counts: InformerCounts = { states: 0, resumes: 0, expired: 0, events: 0 }
  /** Everything up to this version is known; undefined when the state has to be taken again. */
  version: number | undefined
  readonly #path: string
  #connection: Connection
  #state: Map<string, number> | undefined
  #stopCurrent = () => {}
  #isStopped = false

  constructor(connection: Connection, path: string) {
    this.#connection = connection
    this.#path = path
  }

  /** The next stream is opened there. */
  moveTo(connection: Connection): void {
    this.#connection = connection
  }
  /** Breaks the current stream, as a failing network would. */
  disconnect(): void {
    this.#stopCurrent()
  }
  stop(): void {
    this.#isStopped = true
    this.#stopCurrent()
  }

  /** Follows the collection until it is stopped; streams end after `seconds`. */
  async follow(seconds: number): Promise<void> {
    while (!this.#isStopped) {
      await this.stream(seconds)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }

  /** One stream, until it ends. */
  async stream(seconds: number): Promise<void> {
    const resumes = this.version !== undefined
    const query = resumes ? `watch=1&resourceVersion=${this.version}&allowWatchBookmarks=true` : streamingList
    if (resumes) this.counts.resumes++
    this.#state = resumes ? undefined : new Map()
    const watching = this.#connection.watch(`${this.#path}?${query}&timeoutSeconds=${seconds}`, event =>
      this.#take(event),
    )
    this.#stopCurrent = watching.stop
    await watching.ended
  }

  #take({ type, object }: WatchEvent): void {
    if (type === 'ERROR') return this.#giveUp(object)
    const revision = revisionOf(object)
    if (type === 'BOOKMARK') return this.#mark(object, revision)
    this.counts.events++
    const known = this.#state ?? this.objects
    const key = keyOf(object)
    if (type === 'ADDED' && known.has(key)) this.#note(`${key} was added twice, at ${known.get(key)} and ${revision}`)
    if (type !== 'ADDED' && !known.has(key)) this.#note(`${key} was ${type} at ${revision} and had not been added`)
    if (this.#state) {
      if (type !== 'ADDED') this.#note(`${type} of ${key} before the state was complete`)
    } else {
      if (revision <= (this.version ?? 0)) this.#note(`${key} at ${revision} came after ${this.version}`)
      this.version = revision
    }
    if (type === 'DELETED') known.delete(key)
    else known.set(key, revision)
  }

  #mark(object: Thing, revision: number): void {
    const { annotations } = object.metadata as { annotations?: Record<string, string> }
    const endsState = annotations?.[marked] === 'true'
    if (endsState !== (this.#state !== undefined))
      this.#note(`a bookmark that ${endsState ? 'ends' : 'is inside'} a state`)
    if (revision < (this.version ?? 0)) this.#note(`a bookmark at ${revision} after ${this.version}`)
    if (this.#state) {
      for (const [key, at] of this.#state) if (at > revision) this.#note(`${key} at ${at} is newer than the state`)
      this.objects.clear()
      for (const [key, at] of this.#state) this.objects.set(key, at)
      this.#state = undefined
      this.counts.states++
    }
    this.version = revision
  }

  /** The server does not know the version or the type any more. */
  #giveUp({ code }: Thing): void {
    if (code === 410) this.counts.expired++
    this.version = undefined
  }
  #note(problem: string): void {
    this.problems.push(problem)
  }
}
