import type { Verified } from './checker/check-epoch.js'
import type { Watcher } from './clients/watcher.js'

type Counts = ReadonlyMap<string, number>

const none: Verified = { acknowledgedWrites: 0, resolvedWrites: 0, events: 0, watchedEvents: 0, lists: 0, reads: 0 }
const outcomes = ['ok', 'refused', 'unknown']

/** The counters of a run. */
export interface Counted {
  readonly engine: string
  readonly seed: number
  readonly operations: Counts
  readonly statuses: Counts
  readonly faults: Counts
  /** The longest time without an acknowledged write after each kind of fault, in milliseconds. */
  readonly outages: Counts
  readonly watchers: readonly Watcher[]
}

/** The operations of a run and what was verified. */
export class Figures {
  readonly #counted: Counted
  verified: Verified = none
  #epochs = 0
  #tookMs = 0

  constructor(counted: Counted) {
    this.#counted = counted
  }

  /** Counts what an epoch verified. */
  add(verified: Verified, tookMs: number): void {
    const sum = (name: keyof Verified) => this.verified[name] + verified[name]
    this.verified = {
      acknowledgedWrites: sum('acknowledgedWrites'),
      resolvedWrites: sum('resolvedWrites'),
      events: sum('events'),
      watchedEvents: sum('watchedEvents'),
      lists: sum('lists'),
      reads: sum('reads'),
    }
    this.#epochs++
    this.#tookMs = tookMs
  }

  faultsOf = (kind: string): number => this.#counted.faults.get(kind) ?? 0
  get operations(): number {
    return total(this.#counted.operations)
  }

  /** The progress of the run in one line. */
  line(): string {
    const { acknowledgedWrites, events } = this.verified
    const memory = Math.round(process.memoryUsage().rss / 2 ** 20)
    const { engine, faults } = this.#counted
    return `${engine} ${seconds(this.#tookMs)}: ${this.operations} operations, ${total(faults)} faults, ${acknowledgedWrites} acknowledged writes and ${events} events verified, harness ${memory} MiB`
  }

  lines(violations: number): string[] {
    const { acknowledgedWrites, resolvedWrites, events, watchedEvents, lists, reads } = this.verified
    const { engine, seed, operations, statuses, faults, outages, watchers } = this.#counted
    const kinds = [...new Set([...operations.keys()].map(label => label.split(' ')[0] ?? ''))].sort()
    const connections = watchers.reduce((sum, watcher) => sum + watcher.connections, 0)
    const states = watchers.reduce((sum, watcher) => sum + watcher.states, 0)
    return [
      `engine ${engine}, seed ${seed}, ${seconds(this.#tookMs)}, ${this.#epochs} epochs`,
      `operations: ${this.operations}`,
      ...kinds.map(kind => `  ${kind.padEnd(8)} ${outcomes.map(outcome => this.#countOf(kind, outcome)).join('  ')}`),
      `answers: ${[...statuses]
        .sort()
        .map(([code, count]) => `${count} x ${code}`)
        .join(', ')}`,
      `faults: ${total(faults)}`,
      ...[...faults].sort().map(([kind, count]) => {
        const outage = outages.get(kind)
        const told = outage === undefined ? '' : `  longest time without an acknowledged write ${seconds(outage)}`
        return `  ${kind.padEnd(18)} ${String(count).padStart(5)}${told}`
      }),
      `acknowledged writes verified: ${acknowledgedWrites}`,
      `writes of unknown outcome found committed: ${resolvedWrites}`,
      `events verified: ${events} committed, ${watchedEvents} seen by watches over ${connections} connections`,
      `reads verified: ${reads}, lists verified: ${lists}, of them by streaming: ${states}`,
      `violations: ${violations}`,
    ]
  }

  #countOf(kind: string, outcome: string): string {
    return `${String(this.#counted.operations.get(`${kind} ${outcome}`) ?? 0).padStart(7)} ${outcome}`
  }
}

const total = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0)
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
