import { tooManyRequests } from 'orch/sdk'
import { mastersGroup } from 'orch/sdk/identity'
import type { LimitedRequest, RequestLimiter } from 'orch/sdk/server'

const mutatingVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection'])

/** Limits the requests in flight, reads and writes separately. Long-running requests are exempt. */
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

  /** Takes a seat, which the request holds until it is finished. A 429 when all are taken. A limit of 0 means no limit. */
  enter(request: LimitedRequest): void {
    const { info, user } = request
    if (info.verb === 'watch' || !info.isResource) return
    const isMutating = mutatingVerbs.has(info.verb)
    const current = isMutating ? this.#mutating : this.#reading
    const limit = isMutating ? this.#maxMutating : this.#maxReading
    // Administrators and the server's own loops must be able to act on an overloaded server.
    if (limit > 0 && current >= limit && !user.groups.includes(mastersGroup)) {
      throw tooManyRequests('Too many requests, please try again later.', 1)
    }
    if (isMutating) this.#mutating++
    else this.#reading++
    request.freeSeat = isMutating ? this.#freeMutating : this.#freeReading
  }

  readonly #freeReading = () => {
    this.#reading--
  }
  readonly #freeMutating = () => {
    this.#mutating--
  }
}
