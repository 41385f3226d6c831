/** Pauses clients during a quiet moment. */
export class Gate {
  #opened: Promise<void> | undefined
  #open: (() => void) | undefined
  #inside = 0
  #whenEmpty: (() => void) | undefined

  /** Runs work while the gate is open; none is running once `close` has returned. */
  async pass(work: () => Promise<void>): Promise<void> {
    while (this.#opened) await this.#opened
    this.#inside++
    try {
      await work()
    } finally {
      this.#inside--
      if (this.#inside === 0) this.#whenEmpty?.()
    }
  }

  async close(): Promise<void> {
    this.#opened ??= new Promise(resolve => {
      this.#open = resolve
    })
    if (this.#inside > 0) await new Promise<void>(resolve => (this.#whenEmpty = resolve))
  }
  open(): void {
    this.#open?.()
    this.#opened = undefined
  }
}
