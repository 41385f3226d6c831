import { serviceToken } from '../plugin/service-token.js'
import { isPromise } from './and-then.js'

/** Attributes of a stage, named by the conventions of OpenTelemetry where they have a name. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean>>

/** A stage (span) of a traced request. */
export interface TraceStage {
  /** Begins a stage within this one. */
  begin(name: string, attributes?: TraceAttributes): TraceStage
  /** Ends the stage. `failure` is the error that it threw. */
  end(failure?: unknown, attributes?: TraceAttributes): void
  /** Headers that pass the trace on to servers that are called during this stage. */
  readonly headers: Readonly<Record<string, string>>
}

/** A request, as the tracer sees it when it arrives. */
export interface TracedRequest {
  readonly method: string
  /** Path and query as they arrived. Do not keep the query: it may hold a credential. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** What it asks for: `get`, `list`, `create`. */
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  /** It comes from this process: from a control loop, or a plugin. */
  readonly isOwn: boolean
}

/**
 * Traces requests. One plugin may provide it under the token `requestTracer`; without one, nothing is traced. It is called
 * within requests: be quick, and do not throw.
 */
export interface RequestTracer {
  /** Called for every request. Undefined when it is not to be traced. */
  begin(request: TracedRequest): TraceStage | undefined
}
/** The token of `RequestTracer`. */
export const requestTracer = serviceToken<RequestTracer>('requestTracer')

/** Runs a function as a stage, which ends when it returns or throws. */
export function asStage<T>(
  parent: TraceStage,
  name: string,
  run: (stage: TraceStage) => T,
  attributes?: TraceAttributes,
): T {
  const stage = parent.begin(name, attributes)
  let result: T
  try {
    result = run(stage)
  } catch (thrown) {
    stage.end(thrown)
    throw thrown
  }
  if (!isPromise(result)) {
    stage.end()
    return result
  }
  return result.then(
    value => {
      stage.end()
      return value
    },
    thrown => {
      stage.end(thrown)
      throw thrown
    },
  ) as T
}
