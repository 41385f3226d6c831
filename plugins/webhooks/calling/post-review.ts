import type { Dispatcher } from 'undici'
import { CallFailure } from './call-failure.js'

/** The maximum size of a response: a patch larger than any object makes no sense. */
export const maxAnswerBytes = 3 * 1024 * 1024

/** The body of an error response is drained within these limits, so that its connection can be reused. */
const dumpedBytes = 64 * 1024
const dumpedMs = 1000

export interface ReviewPost {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** The time a call may take. */
export class Deadline {
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  #isOver = false
  #giveUp: (() => void) | undefined

  /** Ends at the time-out, or when the response is no longer needed. */
  constructor(ms: number, signal?: AbortSignal) {
    this.#timer = setTimeout(this.#end, ms)
    this.#timer.unref()
    this.#signal = signal
    signal?.addEventListener('abort', this.#end)
    if (signal?.aborted) this.#isOver = true
  }
  get isOver(): boolean {
    return this.#isOver
  }
  /** Called when the time is over. Only the last callback is kept. */
  onOver(giveUp: () => void): void {
    this.#giveUp = giveUp
    if (this.#isOver) giveUp()
  }
  /** The call has ended. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#end)
  }

  readonly #end = () => {
    this.#isOver = true
    this.#giveUp?.()
  }
}

/** Sends a body and reads the answer, or fails by the deadline. */
export async function postReview(connection: Dispatcher, post: ReviewPost, deadline: Deadline): Promise<string> {
  try {
    return await send(connection, post, deadline)
  } catch (error) {
    if (deadline.isOver || !wasClosedWhileIdle(error)) throw error
    return send(connection, post, deadline)
  }
}

function send(connection: Dispatcher, { path, headers, body }: ReviewPost, deadline: Deadline): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let status = 0
    let controller: Dispatcher.DispatchController | undefined
    let dumping: NodeJS.Timeout | undefined
    const stop = (failure: Error) => {
      reject(failure)
      controller?.abort(failure)
    }
    deadline.onOver(() => stop(new CallFailure('no answer in time', { isTimeout: true })))
    connection.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart(started) {
          controller = started
          if (deadline.isOver) started.abort(new CallFailure('no answer in time', { isTimeout: true }))
        },
        onResponseStart(_, statusCode) {
          status = statusCode
          if (!isRefusal(status)) return
          const refusal = new CallFailure(`the webhook answered with status ${status}`, { status })
          reject(refusal)
          // The call is over, and with it its deadline: a response that never ends would occupy the connection forever.
          dumping = setTimeout(() => controller?.abort(refusal), dumpedMs).unref()
        },
        onResponseData(_, chunk) {
          size += chunk.length
          const most = isRefusal(status) ? dumpedBytes : maxAnswerBytes
          if (size > most) stop(new CallFailure(`the response is larger than ${most} bytes`))
          else chunks.push(chunk)
        },
        onResponseEnd() {
          clearTimeout(dumping)
          if (size > 0) resolve(Buffer.concat(chunks, size).toString('utf8'))
          else reject(new CallFailure(`the webhook answered with nothing (status ${status})`))
        },
        onResponseError(_, error) {
          clearTimeout(dumping)
          reject(error)
        },
      },
    )
  })
}

const isRefusal = (status: number) => status > 206

/** A kept-alive connection may be closed by the peer just when it is reused; the request was not processed, so it is retried. */
function wasClosedWhileIdle(error: unknown): boolean {
  const { code = '', socket } = error as { code?: string; socket?: { bytesRead?: number } }
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code) && (socket?.bytesRead ?? 0) > 0
}
