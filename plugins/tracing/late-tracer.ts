import type { RequestTracer, TracedRequest, TraceStage } from 'orch/sdk/server'

/** A placeholder for a tracer that is loaded later; until then nothing is sampled. */
export class LateTracer implements RequestTracer {
  #actual: RequestTracer | undefined

  use(actual: RequestTracer): void {
    this.#actual = actual
  }
  begin(request: TracedRequest): TraceStage | undefined {
    return this.#actual?.begin(request)
  }
}
