import { Comparison } from './compare.js'
import { substitute, type Variables, valueAt } from './json-paths.js'
import type { Observation } from './observation.js'
import { settles, settlingMs, untilDue } from './races.js'
import { runStep, type StepContext } from './run-step.js'
import { isCounted, type Scenario, type Step } from './scenario.js'
import type { ScenarioClient } from './scenario-client.js'
import type { WebhookReceiver } from './webhook-receiver.js'

export interface Failure {
  readonly step: number
  readonly what: string
  readonly difference: string
}
export interface ScenarioResult {
  readonly name: string
  readonly area: string
  readonly file: string
  passed: number
  failed: number
  /** Steps whose difference is intended. */
  excepted: number
  /** Values compared. */
  assertions: number
  readonly failures: Failure[]
}
/** Reasons of intended differences, by step number. */
export type ScenarioExceptions = Readonly<Record<string, string>>

export interface ReplayServices {
  readonly client: ScenarioClient
  readonly receiver: WebhookReceiver
}

/** Replays one scenario. `runId` makes its names unique on the server. */
export async function runScenario(
  scenario: Scenario,
  runId: string,
  { client, receiver }: ReplayServices,
  exceptions: ScenarioExceptions,
): Promise<ScenarioResult> {
  const variables: Variables = {
    run: runId,
    id6: runId.slice(1),
    webhookUrl: receiver.url,
    webhookPort: new URL(receiver.url).port,
    caBundle: receiver.caBundle,
  }
  for (const [name, value] of Object.entries(scenario.vars ?? {})) variables[name] = substitute(value, variables)
  const context: StepContext = { client, receiver, variables, watches: new Map(), webhookKeys: [] }
  const { name, area, file, steps } = scenario
  const result: ScenarioResult = { name, area, file, passed: 0, failed: 0, excepted: 0, assertions: 0, failures: [] }
  const comparison = new Comparison(variables)

  let brokenSetup: string | undefined
  for (const [index, step] of steps.entries()) {
    if (step.cleanup) continue
    const number = index + 1
    const fail = (difference: string) => {
      result.failed++
      result.failures.push({ step: number, what: describe(step), difference })
    }
    if (brokenSetup !== undefined) {
      if (isCounted(step)) result.failed++
      continue
    }
    await untilDue(scenario, number)
    const started = Date.now()
    let difference = await differenceOf(step, context, comparison)
    while (difference !== undefined && settles(scenario, number) && Date.now() - started < settlingMs)
      difference = await differenceOf(step, context, comparison)
    const exception = step.setup ? undefined : exceptions[number]
    if (difference === undefined) {
      if (!isCounted(step)) continue
      if (exception === undefined) result.passed++
      else fail(`stale exception: the step passes (${exception})`)
    } else if (step.setup) {
      brokenSetup = difference
      fail(`setup failed: ${difference}`)
    } else if (exception !== undefined) result.excepted++
    else fail(difference)
  }
  await cleanUp(steps, context)
  result.assertions = comparison.compared
  return result
}

const describe = (step: Step) => `${step.op ?? step.method} ${step.path ?? step.id ?? step.key ?? ''}`

async function differenceOf(step: Step, context: StepContext, comparison: Comparison): Promise<string | undefined> {
  let observation: Observation | undefined
  try {
    observation = await runStep(step, context)
  } catch (error) {
    return `no response: ${error instanceof Error ? error.message : String(error)}`
  }
  if (!observation) return undefined
  const { seen, body } = observation
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const value = valueAt(body, path)
    if (value !== undefined) context.variables[name] = typeof value === 'string' ? value : JSON.stringify(value)
  }
  for (const [name, header] of Object.entries(step.saveHeaders ?? {})) {
    const value = observation.headers?.[header]
    if (typeof value === 'string') context.variables[name] = value
  }
  if (step.setup) {
    const isFine = (seen.status < 300 && !seen.waitFor) || (step.setup === 'exists' && seen.status === 409)
    return isFine ? undefined : `status ${seen.status} ${JSON.stringify(body).slice(0, 300)}`
  }
  if (!step.expect || step.expect.error) return 'no expectation recorded'
  const message = valueAt(body, 'message')
  if (seen.status !== step.expect.status)
    return `status: expected ${step.expect.status}, got ${seen.status}${message ? ` (${String(message).slice(0, 200)})` : ''}`
  const { body: expectedBody, ...expectedHead } = step.expect
  const { body: seenBody, ...seenHead } = seen
  const inHead = comparison.difference(expectedHead, seenHead, 'response')
  if (inHead !== undefined || expectedBody === undefined) return inHead
  return comparison.difference(expectedBody, seenBody, '$')
}

async function cleanUp(steps: readonly Step[], context: StepContext): Promise<void> {
  for (const step of steps) {
    if (!step.cleanup) continue
    // Best effort: the next run uses other names.
    await runStep(step, context).catch(() => undefined)
  }
  for (const watch of context.watches.values()) watch.stop()
  for (const key of context.webhookKeys) {
    context.receiver.webhooks.delete(key)
    context.receiver.extensions.delete(key)
  }
}
