/** Times of events of Pods in milliseconds. Timestamps of a status only have a resolution of one second. */
export class ExactTimes {
  readonly #times = new Map<string, Map<string, number>>()

  get(uid: string, what: string): number | undefined {
    return this.#times.get(uid)?.get(what)
  }
  set(uid: string, what: string, time: number): void {
    const known = this.#times.get(uid) ?? new Map<string, number>()
    this.#times.set(uid, known.set(what, time))
  }
  forget(uid: string): void {
    this.#times.delete(uid)
  }
}
