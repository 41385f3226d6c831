import type { Cache, Clock } from 'orch/sdk'
import { keyOf } from 'orch/sdk/controllers'
import type { ClaimLike } from './volume-needs.js'

interface Waiter {
  done(problem?: Error): void
}

/** Waits for claims to be bound. All waiting Pods share one subscription to the cache of claims. */
export class ClaimWaits {
  readonly #claims: Cache<ClaimLike>
  readonly #clock: Clock
  readonly #waiters = new Map<string, Set<Waiter>>()
  readonly #stopFollowing: () => void

  constructor(claims: Cache<ClaimLike>, clock: Clock) {
    this.#claims = claims
    this.#clock = clock
    this.#stopFollowing = claims.onChange(({ type, object }) => {
      const isGone = type === 'deleted'
      if (!isGone && !isBound(object)) return
      const key = keyOf(object)
      for (const waiter of this.#waiters.get(key) ?? [])
        waiter.done(isGone ? new Error(`the claim ${key} was deleted`) : undefined)
    })
  }

  /** Resolves when the claim is bound; rejects if it is deleted or after `timeoutMs`. */
  bound(namespace: string, name: string, timeoutMs: number): Promise<void> {
    const known = this.#claims.get(namespace, name)
    if (known && isBound(known)) return Promise.resolve()
    const key = keyOf({ metadata: { namespace, name } })
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(key) ?? new Set<Waiter>()
      const waiter: Waiter = {
        done: problem => {
          cancel()
          waiters.delete(waiter)
          if (waiters.size === 0) this.#waiters.delete(key)
          if (problem) reject(problem)
          else resolve()
        },
      }
      const cancel = this.#clock.after(timeoutMs, () =>
        waiter.done(new Error(`the claim ${key} was not bound within ${timeoutMs / 1000} seconds`)),
      )
      this.#waiters.set(key, waiters.add(waiter))
    })
  }

  close(): void {
    this.#stopFollowing()
    for (const waiters of [...this.#waiters.values()])
      for (const waiter of waiters) waiter.done(new Error('the scheduler has stopped'))
  }
}

const isBound = ({ status }: ClaimLike): boolean => status?.phase === 'Bound'
