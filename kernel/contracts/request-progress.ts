import type { TraceStage } from 'orch/sdk/server'

/** The part of a request that belongs to the runner of its stages: its deadline, its trace, whether it is finished. */
export class RequestProgress {
  readonly startedAt: number
  /** A request that takes longer is answered with a time-out, whatever it is doing. */
  timeoutMs = Number.POSITIVE_INFINITY
  /** Answered, counted and recorded. Work that is still running no longer has any effect. */
  isFinished = false
  /** Its number among the requests that wait for something. */
  pendingNumber: number | undefined
  /** The span of the whole request; undefined unless it is traced. */
  trace: TraceStage | undefined

  constructor(startedAt: number) {
    this.startedAt = startedAt
  }

  /** The time until the request is timed out; negative afterwards. */
  timeLeftMs(): number {
    return this.startedAt + this.timeoutMs - performance.now()
  }
}
