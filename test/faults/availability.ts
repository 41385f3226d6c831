/** How long nobody's write was acknowledged, by what had gone wrong last. */
export class Availability {
  #lastAcknowledged: number | undefined
  #fault: string | undefined
  /** In milliseconds. */
  readonly longest = new Map<string, number>()

  acknowledged = (time: number): void => {
    const gap = time - (this.#lastAcknowledged ?? time)
    if (this.#fault !== undefined && gap > (this.longest.get(this.#fault) ?? 0)) this.longest.set(this.#fault, gap)
    this.#lastAcknowledged = Math.max(time, this.#lastAcknowledged ?? 0)
  }
  failed = (kind: string): void => {
    this.#fault = kind
  }
  /** Nobody writes now; that is no outage. */
  quiet(): void {
    this.#lastAcknowledged = undefined
    this.#fault = undefined
  }
}
