import type { Logger } from 'orch/sdk'

const flushEveryMs = 10_000

/** Warnings that are logged at most every ten seconds, one line for many: an attack must not fill the log as well. */
export class GatheredWarnings {
  readonly #logger: Logger | undefined
  readonly #gathered = new Map<string, { readonly level: 'info' | 'warn'; readonly times: number }>()
  #dueAt = 0

  constructor(logger: Logger | undefined) {
    this.#logger = logger
  }

  add(what: string, level: 'info' | 'warn' = 'warn'): void {
    this.#gathered.set(what, { level, times: (this.#gathered.get(what)?.times ?? 0) + 1 })
  }

  flushWhenDue(at: number): void {
    if (at >= this.#dueAt) this.flush(at)
  }
  flush(at: number): void {
    if (this.#gathered.size === 0) return
    for (const [what, { level, times }] of this.#gathered) this.#logger?.[level](what, { times })
    this.#gathered.clear()
    this.#dueAt = at + flushEveryMs
  }
}
