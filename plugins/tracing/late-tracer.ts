import type { RequestTracer, TracedRequest, TraceStage } from 'orch/sdk/server'

/** Stands for a tracer that takes a while to load; what comes before is not followed. */
export class LateTracer implements RequestTracer {
  #actual: RequestTracer | undefined

  use(actual: RequestTracer): void {
    this.#actual = actual
  }
  begin(request: TracedRequest): TraceStage | undefined {
    return this.#actual?.begin(request)
  }
}
