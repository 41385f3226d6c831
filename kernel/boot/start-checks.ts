import { type Clock, type Logger, type Metrics, type Needs, type Resolved, services } from 'orch/sdk'
import { type BootProblem, errorMessage, problem } from '../contracts/boot-errors.js'
import type { Registry } from '../registry/registry.js'

const nothing = () => {}
/** A check must not log, measure or schedule anything. */
const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silentLogger }
const metrics: Metrics = {
  counter: () => ({ inc: nothing }),
  gauge: () => ({ set: nothing, remove: nothing }),
  histogram: () => ({ observe: nothing }),
}
const clock: Clock = { now: () => Date.now(), after: () => nothing }
const known = new Map<unknown, unknown>([
  [services.clock, clock],
  [services.logger, silentLogger],
  [services.metrics, metrics],
])

/** Problems found by the plugins' own checks that would prevent a start; nothing is started. */
export async function startChecks(registry: Registry): Promise<BootProblem[]> {
  const problems: BootProblem[] = []
  for (const { plugin, definition } of registry.startTasks) {
    const needs = Object.entries((definition.needs ?? {}) as Record<string, unknown>)
    if (!definition.isCheck || needs.some(([, token]) => !known.has(token))) continue
    const given = Object.fromEntries(needs.map(([key, token]) => [key, known.get(token)]))
    try {
      await definition.run(given as Resolved<Needs>)
    } catch (thrown) {
      const task = `start task "${definition.name}"`
      problems.push(problem('ORCH_START_FAILED', { plugin, task, why: errorMessage(thrown) }, thrown))
    }
  }
  return problems
}
