import type { ConnectionLimits } from './connection-limits.js'

/** What is pending for a client at the time of a check. */
export interface Unread {
  /** Bytes written to the transport that the client has not received. */
  readonly heldBytes: number
  /** Further bytes buffered. */
  readonly keptBytes: number
  /** Bytes that the client has received so far. */
  readonly takenBytes: number
  /** The response does not end by itself, such as a watch. */
  readonly isEndless: boolean
}

/** How fast a request arrives and its response is sent, measured by periodic checks. */
export class Transfer {
  readonly #arriving = new Pace()
  readonly #leaving = new Pace()
  #leavingSince: number | undefined
  /** Bytes of responses that the client has not received, as of the last check. */
  heldBytes = 0

  /** Another request begins. */
  begin(): void {
    this.#arriving.stop()
    this.#leavingSince = undefined
  }
  rest(): void {
    this.heldBytes = 0
    this.#leaving.stop()
    this.#leavingSince = undefined
  }

  /** Whether anything is pending for the client. */
  get isBehind(): boolean {
    return this.#leavingSince !== undefined
  }
  /** How long the client has received nothing of what is pending. */
  stalledForMs(now: number): number {
    return this.#leavingSince === undefined ? 0 : now - this.#leaving.movedAt
  }

  /** A client does not count as slow while this server does not read. */
  stopArriving(): void {
    this.#arriving.stop()
  }
  isSlowToSend(now: number, arrivedBytes: number, limits: ConnectionLimits): boolean {
    return this.#arriving.isTooSlow(now, arrivedBytes, limits)
  }

  checkReader(now: number, unread: Unread, limits: ConnectionLimits): 'slow-reader' | 'late-reader' | undefined {
    this.heldBytes = unread.heldBytes
    if (unread.heldBytes === 0 && unread.keptBytes === 0) {
      this.#leaving.stop()
      this.#leavingSince = undefined
      return undefined
    }
    this.#leavingSince ??= now
    if (this.#leaving.isTooSlow(now, unread.takenBytes, limits)) return 'slow-reader'
    return !unread.isEndless && isOverdue(now - this.#leavingSince, limits.responseMs) ? 'late-reader' : undefined
  }
}

export const isOverdue = (ms: number, limitMs: number): boolean => limitMs > 0 && ms >= limitMs

/** The rate of bytes in one direction. */
class Pace {
  #since: number | undefined
  #countThen = 0
  #count = 0
  /** When a byte last moved. */
  movedAt = 0

  stop(): void {
    this.#since = undefined
  }

  /** Whether too few bytes moved during the whole time allowed for a slow transfer. `count` is the total so far. */
  isTooSlow(now: number, count: number, { slowMs, minBytesPerSecond }: ConnectionLimits): boolean {
    if (this.#since === undefined) {
      this.#restart(now, count)
      this.movedAt = now
    }
    if (count !== this.#count) this.movedAt = now
    this.#count = count
    const tookMs = now - (this.#since ?? now)
    if (!isOverdue(tookMs, slowMs)) return false
    if ((count - this.#countThen) * 1000 < minBytesPerSecond * tookMs) return true
    this.#restart(now, count)
    return false
  }

  #restart(now: number, count: number): void {
    this.#since = now
    this.#countThen = count
    this.#count = count
  }
}
