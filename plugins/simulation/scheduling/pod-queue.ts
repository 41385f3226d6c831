import type { Clock } from 'orch/sdk'

const firstBackoffMs = 1000
const longestBackoffMs = 10_000

interface Attempt {
  readonly count: number
  readonly notBefore: number
  readonly priority: number
}

/**
 * Pods that wait for a node: by priority, then in order of arrival. A Pod that did not fit waits until something
 * changes, with exponential backoff.
 */
export class PodQueue {
  readonly #clock: Clock
  readonly #onWork: () => void
  /** Keys by priority, in the order they came. */
  readonly #ready = new Map<number, Set<string>>()
  readonly #priorities = new Map<string, number>()
  readonly #unschedulable = new Set<string>()
  readonly #attempts = new Map<string, Attempt>()
  #cancel: (() => void) | undefined

  constructor(clock: Clock, onWork: () => void) {
    this.#clock = clock
    this.#onWork = onWork
  }
  get isEmpty(): boolean {
    return this.#priorities.size === 0
  }
  isUnschedulable(key: string): boolean {
    return this.#unschedulable.has(key)
  }
  add(key: string, priority: number): void {
    if (this.#priorities.has(key)) return
    this.#unschedulable.delete(key)
    this.#priorities.set(key, priority)
    const same = this.#ready.get(priority) ?? new Set<string>()
    this.#ready.set(priority, same.add(key))
    this.#onWork()
  }
  take(): string | undefined {
    if (this.#priorities.size === 0) return undefined
    let highest = Number.NEGATIVE_INFINITY
    for (const priority of this.#ready.keys()) highest = Math.max(highest, priority)
    const [key = ''] = this.#ready.get(highest) ?? []
    this.#drop(key)
    return key
  }
  /** The Pod fits nowhere: it is retried when something has changed, but not before its backoff is over. */
  backOff(key: string, priority: number): void {
    const count = (this.#attempts.get(key)?.count ?? 0) + 1
    const backoffMs = Math.min(firstBackoffMs * 2 ** (count - 1), longestBackoffMs)
    this.#attempts.set(key, { count, priority, notBefore: this.#clock.now() + backoffMs })
    this.#unschedulable.add(key)
  }
  /** The Pod is assigned or gone. */
  forget(key: string): void {
    this.#drop(key)
    this.#unschedulable.delete(key)
    this.#attempts.delete(key)
  }
  /** Something changed: Pods that did not fit may fit now. */
  retryUnschedulable(): void {
    if (this.#unschedulable.size === 0 || this.#cancel) return
    const now = this.#clock.now()
    let next = Number.POSITIVE_INFINITY
    for (const key of [...this.#unschedulable]) {
      const { notBefore = now, priority = 0 } = this.#attempts.get(key) ?? {}
      if (notBefore <= now) this.add(key, priority)
      else next = Math.min(next, notBefore)
    }
    if (!Number.isFinite(next)) return
    this.#cancel = this.#clock.after(next - now, () => {
      this.#cancel = undefined
      this.retryUnschedulable()
    })
  }
  close(): void {
    this.#cancel?.()
    this.#ready.clear()
    this.#priorities.clear()
    this.#unschedulable.clear()
  }

  #drop(key: string): void {
    const priority = this.#priorities.get(key)
    if (priority === undefined) return
    this.#priorities.delete(key)
    const same = this.#ready.get(priority)
    same?.delete(key)
    if (same?.size === 0) this.#ready.delete(priority)
  }
}
