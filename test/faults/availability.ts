/** The longest time without an acknowledged write, by kind of fault. */
export class Availability {
  #lastAcknowledged: number | undefined
  /** The last fault before the last acknowledged write. */
  #earlierFault: string | undefined
  /** The first and the last fault since. */
  #firstFault: string | undefined
  #lastFault: string | undefined
  /** In milliseconds. */
  readonly longest = new Map<string, number>()

  acknowledged = (time: number): void => {
    // An outage is attributed to the fault that started it, even when another follows before its end.
    const fault = this.#firstFault ?? this.#earlierFault
    const gap = time - (this.#lastAcknowledged ?? time)
    if (fault !== undefined && gap > (this.longest.get(fault) ?? 0)) this.longest.set(fault, gap)
    this.#lastAcknowledged = Math.max(time, this.#lastAcknowledged ?? 0)
    this.#earlierFault = this.#lastFault ?? this.#earlierFault
    this.#firstFault = undefined
    this.#lastFault = undefined
  }
  failed = (kind: string): void => {
    this.#firstFault ??= kind
    this.#lastFault = kind
  }
  /** Marks a time without writers, which is not an outage. */
  quiet(): void {
    this.#lastAcknowledged = undefined
    this.#earlierFault = undefined
    this.#firstFault = undefined
    this.#lastFault = undefined
  }
}
