import { serviceToken } from '../plugin/service-token.js'
import { isPromise } from './and-then.js'

/** Facts about a stage. Names as OpenTelemetry's conventions have them, where they have one. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean>>

/** A stage of a request that is followed, from now until it ends. */
export interface TraceStage {
  /** Begins a stage within this one. */
  begin(name: string, attributes?: TraceAttributes): TraceStage
  /** It is over. `failure` is what it threw. */
  end(failure?: unknown, attributes?: TraceAttributes): void
  /** Headers that tell whoever is called during this stage to which trace the call belongs. */
  readonly headers: Readonly<Record<string, string>>
}

/** What is known of a request when it comes. */
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
  /** It comes from this very process: of a control loop, or of a plugin. */
  readonly isOwn: boolean
}

/**
 * Follows requests through their stages. One plugin may offer it under the token `requestTracer`; where none does, nothing is
 * followed. It is called within requests: be quick, and do not throw.
 */
export interface RequestTracer {
  /** A request has come. Undefined when it is not to be followed: then nothing more is told of it. */
  begin(request: TracedRequest): TraceStage | undefined
}
/** The token under which a plugin offers a tracer. */
export const requestTracer = serviceToken<RequestTracer>('requestTracer')

/** Runs something as a stage, which ends with it, however it ends. */
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
