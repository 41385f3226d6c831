import type { Logger } from 'orch/sdk'
import type { RequestTracer, TraceAttributes, TracedRequest, TraceStage } from 'orch/sdk/server'

/** Logs the steps of every request of a client with their durations, one line per request, for `--v 4`. */
export class StepLog implements RequestTracer {
  readonly #logger: Logger
  constructor(logger: Logger) {
    this.#logger = logger
  }

  begin({ verb, url, isOwn }: TracedRequest): TraceStage | undefined {
    if (isOwn) return undefined
    const [path] = url.split('?')
    const steps: string[] = []
    return new LoggedStep(steps, '', (failure, ms) =>
      this.#logger.debug('steps of a request', {
        verb,
        path,
        milliseconds: rounded(ms),
        steps,
        ...(failure === undefined ? {} : { failure: String(failure) }),
      }),
    )
  }
}

class LoggedStep implements TraceStage {
  readonly #steps: string[]
  readonly #path: string
  readonly #ended: (failure: unknown, ms: number) => void
  readonly #startedAt = performance.now()
  readonly headers = {}

  constructor(steps: string[], path: string, ended: (failure: unknown, ms: number) => void) {
    this.#steps = steps
    this.#path = path
    this.#ended = ended
  }

  begin(name: string, attributes: TraceAttributes = {}): TraceStage {
    const details = Object.values(attributes).join(' ')
    const path = `${this.#path}${details === '' ? name : `${name} ${details}`}`
    return new LoggedStep(this.#steps, `${path} > `, (failure, ms) =>
      this.#steps.push(`${path}: ${rounded(ms)} ms${failure === undefined ? '' : ', failed'}`),
    )
  }
  end(failure?: unknown): void {
    this.#ended(failure, performance.now() - this.#startedAt)
  }
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000
