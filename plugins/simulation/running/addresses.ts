/** Pods get addresses of 10.64.0.0/10, which neither nodes nor Services use. */
const firstAddress = (10 << 24) + (64 << 16)
const addressCount = 2 ** 22

const textOf = (address: number) =>
  [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255].join('.')

/** The addresses of Pods by their uid. */
export class Addresses {
  readonly #taken = new Set<string>()
  readonly #byPod = new Map<string, string>()
  #next = 1

  /** The address of the Pod; a free one is assigned if it has none. */
  take(uid: string): string {
    const known = this.#byPod.get(uid)
    if (known) return known
    for (let tries = 0; tries < addressCount; tries++) {
      const address = textOf(firstAddress + this.#next)
      this.#next = (this.#next + 1) % addressCount || 1
      if (this.#taken.has(address)) continue
      this.note(uid, address)
      return address
    }
    throw new Error('no address is left for another Pod')
  }
  /** Records the existing address of a Pod. */
  note(uid: string, address: string): void {
    this.#taken.add(address)
    this.#byPod.set(uid, address)
  }
  /** The Pod is gone. */
  release(uid: string): void {
    this.#taken.delete(this.#byPod.get(uid) ?? '')
    this.#byPod.delete(uid)
  }
}
