import { ShortLivedEntries } from 'orch/sdk/host'

/**
 * One writer at a time per key within this process. Read-modify-write cycles on a hot object then queue up instead of
 * failing and repeating each other's work; writers in other processes are still caught by the store's precondition.
 */
export class KeyLocks {
  readonly #tails = new ShortLivedEntries<Promise<void>>()

  /** Runs `work` when it is its turn. It may call `release` to let the next one in before it is done. */
  async run<T>(key: string, work: (release: () => void) => Promise<T>): Promise<T> {
    const before = this.#tails.get(key)
    let admitNext = () => {}
    const mine = new Promise<void>(resolve => {
      admitNext = resolve
    })
    const release = () => {
      this.#tails.delete(key, mine)
      admitNext()
    }
    this.#tails.set(key, mine)
    if (before) await before
    try {
      return await work(release)
    } finally {
      release()
    }
  }
}
