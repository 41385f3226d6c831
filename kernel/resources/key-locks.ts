/**
 * One writer at a time per key within this process. Read-modify-write cycles on a hot object then queue up instead of
 * failing and repeating each other's work; writers in other processes are still caught by the store's precondition.
 */
export class KeyLocks {
  readonly #tails = new Map<string, Promise<void>>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key)
    let release = () => {}
    const mine = new Promise<void>(resolve => {
      release = resolve
    })
    this.#tails.set(key, mine)
    if (before) await before
    try {
      return await work()
    } finally {
      if (this.#tails.get(key) === mine) this.#tails.delete(key)
      release()
    }
  }
}
