import { type LimitedRequest, mastersGroup, type RequestLimiter, tooManyRequests } from 'orch/sdk'

const mutatingVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection'])

/** Bounds what is worked on at once: reads and writes have shares of their own; long-running requests are exempt. */
export class InflightLimits implements RequestLimiter {
  readonly #maxReading: number
  readonly #maxMutating: number
  #reading = 0
  #mutating = 0

  constructor(maxReading: number, maxMutating: number) {
    this.#maxReading = maxReading
    this.#maxMutating = maxMutating
  }
  get current(): { readOnly: number; mutating: number } {
    return { readOnly: this.#reading, mutating: this.#mutating }
  }

  /** Takes a place, which the request has until it leaves. A 429 when all are taken. 0 means no limit. */
  enter(request: LimitedRequest): void {
    const { info, user } = request
    if (info.verb === 'watch' || !info.isResource) return
    const isMutating = mutatingVerbs.has(info.verb)
    const current = isMutating ? this.#mutating : this.#reading
    const limit = isMutating ? this.#maxMutating : this.#maxReading
    // The server's own loops and its administrators must be able to act when everybody else has to wait.
    if (limit > 0 && current >= limit && !user.groups.includes(mastersGroup)) {
      throw tooManyRequests('Too many requests, please try again later.', 1)
    }
    if (isMutating) this.#mutating++
    else this.#reading++
    request.leavePlace = isMutating ? this.#leaveMutating : this.#leaveReading
  }

  readonly #leaveReading = () => {
    this.#reading--
  }
  readonly #leaveMutating = () => {
    this.#mutating--
  }
}
