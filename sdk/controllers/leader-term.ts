import type { Transport, TransportResponse } from '../client/client.js'
import { unlessAborted } from '../client/waiting.js'
import { recognizedAcrossCopies } from '../plugin/across-copies.js'

/** One period of leadership. */
export interface LeaderTerm {
  /** Aborts when this process no longer leads: all work as the leader must end at once. */
  readonly ended: AbortSignal
  /**
   * May this process still act as the leader? False as soon as the Lease was not renewed in time, even if that was not
   * noticed yet, for example after a pause of the whole process.
   */
  isCurrent(): boolean
}

/** Thrown for a request of a leader whose term is over. It is not sent, or its response is ignored. */
export class TermEndedError extends Error {
  constructor() {
    super('this process is no longer the leader')
    this.name = 'TermEndedError'
  }
}
recognizedAcrossCopies(TermEndedError, 'TermEndedError')

/**
 * Sends requests during a term and none after it, so that even a loop that does not stop in time cannot interfere with
 * those of the next leader. Requests in progress, including watches, end with the term.
 */
export function duringTerm(transport: Transport, term: LeaderTerm): Transport {
  const open = new Set<AbortController>()
  term.ended.addEventListener('abort', () => {
    for (const cut of open) cut.abort(new TermEndedError())
  })
  return async request => {
    if (!term.isCurrent()) throw new TermEndedError()
    // One controller per request: a signal is not made for many listeners.
    const cut = new AbortController()
    const follow = () => cut.abort(request.signal?.reason)
    if (request.signal?.aborted) follow()
    request.signal?.addEventListener('abort', follow, { once: true })
    open.add(cut)
    const over = () => {
      open.delete(cut)
      request.signal?.removeEventListener('abort', follow)
    }
    try {
      const response = await unlessAborted(transport({ ...request, signal: cut.signal }), cut.signal)
      return { ...response, body: bodyOf(response, cut.signal, over) }
    } catch (error) {
      over()
      throw error
    }
  }
}

async function* bodyOf({ body }: TransportResponse, signal: AbortSignal, over: () => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) {
      // The response was cut off by the end of the term: the caller must not take it as complete.
      if (signal.aborted) throw signal.reason
      yield chunk
    }
    if (signal.aborted) throw signal.reason
  } finally {
    over()
  }
}
