import { inTime } from './in-time.js'

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz'
export interface HealthCheck {
  readonly name: string
  readonly endpoints: readonly HealthEndpoint[]
  /** Whether its failure is expected in certain phases of the server, and therefore not logged. */
  readonly isPhase?: boolean
  check(): void | Promise<void>
}
export interface HealthAnswer {
  readonly status: number
  readonly text: string
}

/** A check that takes longer has failed, like that of etcd in Kubernetes: otherwise the probe would time out without a reason. */
export const checkLimitMs = 2000

/** The health endpoints: all checks, or one by name; `verbose` shows each, `exclude` skips some. */
export class Health {
  #checks: readonly HealthCheck[] = []
  #own: readonly HealthCheck[] = []
  readonly #failing = new Set<string>()
  readonly #report: (check: string, error: unknown) => void

  /** The reason of a failure is withheld from clients, so it is logged, once until the check passes again. */
  constructor(report: (check: string, error: unknown) => void = () => {}) {
    this.#report = report
  }

  /** Adds a check of the server itself. */
  add(check: HealthCheck): void {
    this.#own = [...this.#own, check]
    this.#checks = [...this.#checks, check]
  }
  /** Replaces the checks of plugins, which come after those of the server. */
  use(checks: readonly HealthCheck[]): void {
    this.#checks = [...this.#own, ...checks]
    const names = new Set(this.#checks.map(({ name }) => name))
    for (const name of this.#failing) if (!names.has(name)) this.#failing.delete(name)
  }

  /** The paths of the individual checks. */
  get paths(): readonly string[] {
    return this.#checks.flatMap(({ name, endpoints }) => endpoints.map(endpoint => `/${endpoint}/${name}`))
  }

  /** The response to a path such as /readyz or /livez/ping; undefined if there is no such check. */
  async answer(endpoint: HealthEndpoint, only: string, query: URLSearchParams): Promise<HealthAnswer | undefined> {
    const checks = this.#checks.filter(check => check.endpoints.includes(endpoint))
    if (only !== '') {
      const check = checks.find(each => each.name === only)
      return check && this.#answerOne(check)
    }
    const excluded = new Set(query.getAll('exclude'))
    let hasFailed = false
    const lines = await Promise.all(
      checks.map(async check => {
        if (excluded.delete(check.name)) return `[+]${check.name} excluded: ok`
        if (await this.#isHealthy(check)) return `[+]${check.name} ok`
        hasFailed = true
        return `[-]${check.name} failed: reason withheld`
      }),
    )
    excluded.delete('')
    if (excluded.size > 0) {
      lines.push(
        `warn: some health checks cannot be excluded: no matches for ${[...excluded].map(name => JSON.stringify(name)).join(', ')}`,
      )
    }
    if (hasFailed) return { status: 500, text: `${lines.join('\n')}\n${endpoint} check failed\n` }
    return { status: 200, text: query.has('verbose') ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok' }
  }

  async #answerOne(check: HealthCheck): Promise<HealthAnswer> {
    if (!(await this.#isHealthy(check)))
      return { status: 500, text: `internal server error: ${check.name} failed: reason withheld\n` }
    return { status: 200, text: 'ok' }
  }

  async #isHealthy({ name, isPhase, check }: HealthCheck): Promise<boolean> {
    try {
      const checking = check()
      if (checking) await inTime(checkLimitMs, checking)
      this.#failing.delete(name)
      return true
    } catch (error) {
      if (!isPhase && !this.#failing.has(name)) this.#report(name, error)
      this.#failing.add(name)
      return false
    }
  }
}
