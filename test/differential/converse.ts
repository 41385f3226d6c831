import { type JsonObject, substitute, type Variables, valueAt } from '../golden/json-paths.js'
import type { Observation } from '../golden/observation.js'
import { sendRequest } from '../golden/run-step.js'
import type { Expectation, Scenario, Step } from '../golden/scenario.js'
import type { ScenarioClient } from '../golden/scenario-client.js'
import { WatchStream } from '../golden/watch-stream.js'
import { AnswerComparison, type Difference } from './differences.js'
import { Expectations } from './expectation.js'
import type { Reason } from './explained.js'
import { asSent } from './protobuf-bodies.js'
import { yamlMessage } from './yaml-message.js'

/** The two servers, and the intended differences. */
export interface Pair {
  readonly reference: ScenarioClient
  readonly target: ScenarioClient
  /** The reason of a difference that is intended. `sent` has the paths and bodies of the conversation so far. */
  explain(step: Step, difference: Difference, sent: string): Reason | undefined
}

/** A step that the servers answered differently. */
export interface Disagreement {
  readonly index: number
  readonly step: Step
  readonly differences: readonly Difference[]
  readonly reference: Observation
  readonly target: Observation
}
/** A difference that is intended. */
export interface Explained extends Reason {
  readonly step: Step
  readonly difference: Difference
}
export interface Outcome {
  /** Requests that both servers answered. */
  readonly answered: number
  /** The preparation failed, so the conversation proves nothing. */
  readonly problem?: string
  readonly disagreement?: Disagreement
  /** The differences that are intended. */
  readonly explained: readonly Explained[]
  /** What the reference answered to each step. */
  readonly expectations: ReadonlyMap<Step, Expectation>
}

/** YAML is taken as text: what it says explains a difference. */
const asAsked = (step: Step): Step =>
  asSent(step.headers?.['Accept'] === 'application/yaml' ? { ...step, rawBody: 'text' } : step)

/** One server's side of a conversation. */
class Side {
  readonly variables: Variables
  readonly #client: ScenarioClient
  /** Objects outside of namespaces that were created, whatever their names: they would affect other conversations. */
  readonly #created = new Set<string>()
  #watch: WatchStream | undefined

  constructor(client: ScenarioClient, scenario: Scenario, runId: string) {
    this.#client = client
    this.variables = { run: runId, id6: runId.slice(1) }
    for (const [name, value] of Object.entries(scenario.vars ?? {}))
      this.variables[name] = substitute(value, this.variables)
  }

  async watch(step: Step): Promise<void> {
    this.close()
    this.#watch = new WatchStream(await this.#client.open({ ...step, method: 'GET' }, this.variables))
  }

  close(): void {
    this.#watch?.stop()
    this.#watch = undefined
  }

  async ask(step: Step): Promise<Observation> {
    const observation = await this.#answer(step).catch(
      (error: Error): Observation => ({ seen: { status: 0, error: error.message }, body: {} }),
    )
    for (const [name, path] of Object.entries(step.save ?? {})) {
      const value = valueAt(observation.body, path)
      if (typeof value === 'string') this.variables[name] = value
    }
    this.#noteCreated(step, observation)
    return observation
  }

  #noteCreated({ method, path = '', body: sent }: Step, { seen, body }: Observation): void {
    if (seen.status !== 201 || path.includes('/namespaces') || path.includes('dryRun')) return
    const [place] = path.split('?')
    if (method !== 'POST') this.#created.add(place!)
    // An answer in Protobuf is not read for this.
    const names = [
      valueAt(body, 'metadata.name'),
      valueAt(body, 'rows[0].object.metadata.name'),
      valueAt(substitute(sent, this.variables), 'metadata.name'),
    ]
    const name = names.find(each => typeof each === 'string')
    if (method === 'POST' && name !== undefined) this.#created.add(`${place}/${encodeURIComponent(name)}`)
  }

  async deleteCreated(): Promise<void> {
    for (const path of this.#created) await this.ask({ method: 'DELETE', path })
  }

  async #answer(step: Step): Promise<Observation> {
    if (step.op !== 'watchEnd') {
      const sent = asAsked({ ...step, body: substitute(step.body, this.variables) })
      return sendRequest(sent, { client: this.#client, variables: this.variables })
    }
    if (!this.#watch) throw new Error('nothing is watched')
    return this.#watch.finish(step)
  }
}

/** Sends the steps of a conversation to both servers until they disagree: what follows would only repeat it. */
export async function converse(scenario: Scenario, runId: string, pair: Pair): Promise<Outcome> {
  const reference = new Side(pair.reference, scenario, runId)
  const target = new Side(pair.target, scenario, runId)
  const expectationsOf = new Expectations(scenario, reference.variables)
  const comparison = new AnswerComparison(target.variables)
  const expectations = new Map<Step, Expectation>()
  const explained: Explained[] = []
  let answered = 0
  let problem: string | undefined
  let disagreement: Disagreement | undefined
  for (const [index, step] of scenario.steps.entries()) {
    if (step.cleanup) continue
    if (step.op === 'watch') {
      await Promise.all([reference.watch(step), target.watch(step)])
      continue
    }
    // The reference comes first, because its response determines how Protobuf is decoded and how many events to wait for.
    const isLater = isProtobuf(step) || step.op === 'watchEnd'
    const [expected, early] = await Promise.all([reference.ask(step), isLater ? undefined : target.ask(step)])
    const expectation = expectationsOf.of(expected)
    const actual = early ?? (await target.ask({ ...step, expect: expectation }))
    if (step.setup) {
      problem = [expected, actual].map(unprepared).find(text => text !== undefined)
      if (problem !== undefined) break
      continue
    }
    answered++
    expectations.set(step, expectation)
    const all = differencesOf(step, expectation, expected, actual, comparison)
    const differences: Difference[] = []
    const sent = all.length === 0 ? '' : sentBy(scenario.steps.slice(0, index + 1))
    for (const difference of all) {
      const why = pair.explain(step, difference, sent)
      if (why === undefined) differences.push(difference)
      else explained.push({ ...why, step, difference })
    }
    if (differences.length > 0) disagreement = { index, step, differences, reference: expected, target: actual }
    // If the status differs, so does the stored state from now on.
    if (disagreement || all.some(({ kind }) => kind === 'status') || explained.some(({ ends }) => ends)) break
  }
  reference.close()
  target.close()
  await Promise.all([reference.deleteCreated(), target.deleteCreated()])
  for (const step of scenario.steps) if (step.cleanup) await Promise.all([reference.ask(step), target.ask(step)])
  return { answered, problem, disagreement, explained, expectations }
}

const sentBy = (steps: readonly Step[]): string =>
  steps
    .map(({ method, path, body, bodyText }) => `${method} ${path}\n${bodyText ?? JSON.stringify(body) ?? ''}`)
    .join('\n')

const isProtobuf = ({ headers }: Step) => JSON.stringify(headers ?? {}).includes('protobuf')

const unprepared = ({ seen, body }: Observation): string | undefined =>
  seen.status < 300 && seen.status > 0 && !seen.waitFor
    ? undefined
    : `${seen.status} ${JSON.stringify(body).slice(0, 200)}`

/** The message of a response, in any media type. */
const messageOf = ({ body, seen }: Observation): string => {
  const fields = valueAt(seen.body, 'protobuf.typeMeta.kind') === 'Status' && valueAt(seen.body, 'protobuf.raw.pb')
  const written = Array.isArray(fields) ? fields.find(([number]) => number === messageField)?.[1] : undefined
  return String(valueAt(body, 'message') ?? written ?? yamlMessage(valueAt(seen.body, 'text')) ?? '')
}
/** The number of `message` in a Status. */
const messageField = 3

function differencesOf(
  step: Step,
  expectation: Expectation,
  reference: Observation,
  target: Observation,
  comparison: AnswerComparison,
): Difference[] {
  const { seen } = target
  if (expectation.status !== seen.status) {
    const messages = `${messageOf(reference)} | ${messageOf(target)}`
    return [{ at: 'status', kind: 'status', expected: expectation.status, actual: seen.status, messages }]
  }
  const { body: stated, ...expectedHead } = expectation
  // The error of a rejected watch is lines of text.
  const expectedBody = step.op === 'watchEnd' && expectation.status >= 400 ? undefined : stated
  const { body, ...head } = seen
  return [
    ...comparison.differences(expectedHead, head, 'response'),
    ...(expectedBody === undefined ? [] : comparison.differences(expectedBody, body, '$')),
  ]
}

/** The scenario in the format of recorded conversations, with the responses of the reference. */
export function recorded(scenario: Scenario, expectations: ReadonlyMap<Step, Expectation>): JsonObject {
  const { file: _, ...head } = scenario
  return {
    ...head,
    steps: scenario.steps.map(step => {
      const expect = expectations.get(step)
      return asAsked(expect === undefined ? step : { ...step, expect })
    }),
  }
}
