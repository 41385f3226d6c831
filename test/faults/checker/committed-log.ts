import type { CommittedEvent, Version } from './version.js'

/** A key between two of its writes: from one revision up to, not including, another. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Undefined while the key did not exist. */
  readonly version: Version | undefined
}

/** The history of a store after a revision: every committed write in order, and thereby every state. */
export class CommittedLog {
  readonly start: number
  readonly initial: ReadonlyMap<string, Version>
  readonly events: readonly CommittedEvent[]
  readonly #byRevision: ReadonlyMap<number, CommittedEvent>
  readonly #byKey = new Map<string, CommittedEvent[]>()
  readonly #spans = new Map<string, readonly Span[]>()

  constructor(start: number, initial: ReadonlyMap<string, Version>, events: readonly CommittedEvent[]) {
    this.start = start
    this.initial = initial
    this.events = events
    this.#byRevision = new Map(events.map(event => [event.revision, event]))
    for (const event of events) {
      const ofKey = this.#byKey.get(event.key)
      if (ofKey) ofKey.push(event)
      else this.#byKey.set(event.key, [event])
    }
  }

  at = (revision: number): CommittedEvent | undefined => this.#byRevision.get(revision)
  eventsOf = (key: string): readonly CommittedEvent[] => this.#byKey.get(key) ?? []

  /** All spans of a key, oldest first. */
  spansOf(key: string): readonly Span[] {
    const known = this.#spans.get(key)
    if (known) return known
    const events = this.eventsOf(key)
    const first: Span = { from: this.start, to: events[0]?.revision ?? Infinity, version: this.initial.get(key) }
    const later = events.map(
      (event, index): Span => ({
        from: event.revision,
        to: events[index + 1]?.revision ?? Infinity,
        version: stateAfter(event),
      }),
    )
    const spans = [first, ...later]
    this.#spans.set(key, spans)
    return spans
  }

  /** The states at given revisions, in order of key. Revisions must be requested in ascending order. */
  statesInOrder(): (revision: number) => readonly Version[] {
    const state = new Map(this.initial)
    let next = 0
    return revision => {
      for (; next < this.events.length && this.events[next]!.revision <= revision; next++) {
        applyTo(state, this.events[next]!)
      }
      return sortedByKey(state.values())
    }
  }

  /** The state after everything. */
  final(): Map<string, Version> {
    const state = new Map(this.initial)
    for (const event of this.events) applyTo(state, event)
    return state
  }
}

export const sortedByKey = (versions: Iterable<Version>): readonly Version[] =>
  [...versions].sort((one, other) => (one.key < other.key ? -1 : 1))

const stateAfter = ({ type, key, revision, value, uid }: CommittedEvent): Version | undefined =>
  type === 'DELETED' ? undefined : { key, revision, value, uid }

function applyTo(state: Map<string, Version>, event: CommittedEvent): void {
  const version = stateAfter(event)
  if (version) state.set(event.key, version)
  else state.delete(event.key)
}
