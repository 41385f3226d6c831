import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { byText } from './canonical-order.js'
import { type ReplayServices, runScenario, type ScenarioExceptions, type ScenarioResult } from './run-scenario.js'
import type { Scenario } from './scenario.js'
import { ScenarioClient } from './scenario-client.js'
import { WebhookReceiver } from './webhook-receiver.js'

/** Intended differences: scenario → step → reason. */
export type Exceptions = Readonly<Record<string, ScenarioExceptions>>

export interface ReplayOptions {
  readonly target: string
  readonly credentials: string
  readonly exceptions?: Exceptions
  readonly parallel?: number
  readonly webhookHost?: string
  readonly webhookPort?: number
}

/** Replays scenarios concurrently, those marked serial one by one at the end. Sorted by file. */
export async function replay(scenarios: readonly Scenario[], options: ReplayOptions): Promise<ScenarioResult[]> {
  const { target, credentials, exceptions = {}, parallel = 4 } = options
  const receiver = await WebhookReceiver.start(
    dirname(credentials),
    options.webhookHost ?? '127.0.0.1',
    options.webhookPort ?? 0,
  )
  const services: ReplayServices = { client: new ScenarioClient(target, credentials), receiver }
  const results: ScenarioResult[] = []
  const playAll = async (queue: Scenario[]) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results.push(await runScenario(next, newRunId(), services, exceptions[`${next.area}/${next.name}`] ?? {}))
  }
  try {
    const together = scenarios.filter(scenario => !scenario.serial)
    await Promise.all(Array.from({ length: parallel }, () => playAll(together)))
    await playAll(scenarios.filter(scenario => scenario.serial))
  } finally {
    services.client.close()
    receiver.stop()
  }
  return results.sort((left, right) => byText(left.file, right.file))
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
/** Seven characters that make the names of a scenario unique on the server. */
const newRunId = () => `z${[...randomBytes(6)].map(byte => alphabet[byte % alphabet.length]).join('')}`
