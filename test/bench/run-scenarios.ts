import type { BenchServer } from './bench-server.js'
import type { BenchScenario, Metrics } from './scenario.js'

/** A run is repeated if other processes used more of a core than this. */
const noisyPercent = 30
const attempts = 3

/** Whether a scenario runs: `--only 'create*,get*' --skip 'biglist*'`. */
export function isChosen(name: string, { only, skip }: { only?: string; skip?: string }): boolean {
  const matches = (patterns: string) =>
    patterns.split(',').some(p => (p.endsWith('*') ? name.startsWith(p.slice(0, -1)) : name === p))
  return (only === undefined || matches(only)) && !(skip !== undefined && matches(skip))
}

/** Runs scenarios in order and reports each. Returns the failures. */
export async function runScenarios(
  scenarios: readonly BenchScenario[],
  server: BenchServer,
  report: (name: string, runs: readonly Metrics[]) => void,
): Promise<string[]> {
  const failures: string[] = []
  let namespace = ''
  for (const [index, scenario] of scenarios.entries()) {
    const { prepared } = scenario
    try {
      if (prepared && prepared.what !== scenarios[index - 1]?.prepared?.what)
        namespace = await server.fill(prepared.what, prepared.objects, { size: prepared.size })
      const runs: Metrics[] = []
      for (let repetition = 1; repetition <= scenario.repetitions; repetition++)
        runs.push(await quietest(scenario, server, namespace, repetition))
      report(scenario.name, runs)
      if (prepared && prepared.what !== scenarios[index + 1]?.prepared?.what) await server.empty(namespace)
    } catch (error) {
      failures.push(`${scenario.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return failures
}

/** The run that was disturbed least. */
async function quietest(
  scenario: BenchScenario,
  server: BenchServer,
  namespace: string,
  repetition: number,
): Promise<Metrics> {
  let best: Metrics | undefined
  const noise = (metrics: Metrics) => metrics['other cpu %'] ?? 0
  for (let attempt = 0; attempt < attempts; attempt++) {
    const metrics = await scenario.run(server, namespace, `${repetition}-${attempt}`)
    if (!best || noise(metrics) < noise(best)) best = metrics
    if (noise(best) <= noisyPercent) break
  }
  return best ?? {}
}
