import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { byText, inCanonicalOrder } from './canonical-order.js'
import { type JsonObject, pickPaths, substitute, type Variables, valueAt } from './json-paths.js'
import { type Observation, observe } from './observation.js'
import type { Step, WaitFor } from './scenario.js'
import type { ScenarioClient } from './scenario-client.js'
import { WatchStream } from './watch-stream.js'
import type { WebhookReceiver } from './webhook-receiver.js'

/** What the steps of one scenario share. */
export interface StepContext {
  readonly client: ScenarioClient
  readonly receiver: WebhookReceiver
  readonly variables: Variables
  readonly watches: Map<string, WatchStream>
  readonly webhookKeys: string[]
}

const pollMs = 150
const waitLimitMs = 20_000
const readyLimitMs = 15_000
const settleMs = 300

/** Runs a step. Returns undefined if there is nothing to compare. */
export async function runStep(step: Step, context: StepContext): Promise<Observation | undefined> {
  const { client, receiver, variables, watches } = context
  const key = substitute(step.key ?? '', variables)
  switch (step.op) {
    case 'sleep':
      await sleep(step.ms)
      return
    case 'watch':
      watches.set(step.id ?? '', new WatchStream(await client.open({ ...step, method: 'GET' }, variables)))
      return
    case 'watchEnd': {
      const watch = watches.get(step.id ?? '')
      if (!watch) throw new Error(`no watch ${step.id}`)
      return watch.finish(step)
    }
    case 'webhook':
      receiver.webhooks.set(key, {
        answer: substitute(step.response ?? {}, variables),
        answers: substitute(step.responses ?? [], variables) as object[],
        calls: [],
      })
      context.webhookKeys.push(key)
      return
    case 'extension':
      receiver.extensions.set(key, { routes: substitute(step.routes ?? {}, variables), calls: [] })
      context.webhookKeys.push(key)
      return
    case 'extensionCalls':
      return callsOf(step, receiver.extensions.get(key)?.calls.splice(0) ?? [])
    case 'webhookReady':
      await untilCalled(step, context)
      return
    case 'webhookCalls':
      return callsOf(step, receiver.webhooks.get(key)?.calls.splice(0) ?? [])
    case 'externalCalls':
      return externalCalls(step, context)
    case 'parallel': {
      const answers = await Promise.all((step.requests ?? []).map(request => client.send(request, variables)))
      return local({ statuses: answers.map(answer => answer.status).sort() })
    }
    default:
      return sendRequest(step, context)
  }
}

/** An observation without a server: only its body is compared. */
const local = (body: unknown): Observation => ({ seen: { status: 200, contentType: '', body }, body })

/** Sends a request, repeatedly if it waits for a state. */
export async function sendRequest(
  step: Step,
  { client, variables }: Pick<StepContext, 'client' | 'variables'>,
): Promise<Observation> {
  const started = Date.now()
  for (;;) {
    const isLast = !step.waitFor || Date.now() - started > (step.waitFor.timeoutMs ?? waitLimitMs)
    // A lost connection does not end polling.
    const answer = await client.send(step, variables).catch((error: unknown) => {
      if (isLast) throw error
    })
    const observation = answer && observe(step, answer, variables)
    if (observation && (!step.waitFor || isReached(substitute(step.waitFor, variables), observation)))
      return observation
    if (observation && isLast) {
      observation.seen.waitFor = 'not reached'
      return observation
    }
    await sleep(step.waitFor?.everyMs ?? pollMs)
  }
}

function isReached(wanted: WaitFor, { seen, body }: Observation): boolean {
  if (wanted.status !== undefined) return seen.status === wanted.status
  const value = valueAt(body, wanted.path ?? '')
  if ('equals' in wanted) return isDeepStrictEqual(value, wanted.equals)
  if (wanted.absent) return value === undefined
  const hasEntry = (fields: JsonObject) =>
    Array.isArray(value) &&
    value.some(entry => Object.entries(fields).every(([name, field]) => entry?.[name] === field))
  if (wanted.has) return hasEntry(wanted.has)
  if (wanted.lacks) return !hasEntry(wanted.lacks)
  if (wanted.length !== undefined) return Array.isArray(value) && value.length === wanted.length
  return value !== undefined
}

/** Probes until the receiver is called, then discards those calls. */
async function untilCalled(step: Step, { client, receiver, variables }: StepContext): Promise<void> {
  const webhook = receiver.webhooks.get(substitute(step.key ?? '', variables))
  if (!webhook || !step.probe) throw new Error(`no webhook ${step.key}`)
  const started = Date.now()
  // At least once, even if another probe has called it: other webhooks of the scenario count that.
  do {
    await client.send(step.probe, variables)
    if (webhook.calls.length === 0) await sleep(pollMs)
  } while (webhook.calls.length === 0 && Date.now() - started < readyLimitMs)
  await sleep(step.settleMs ?? settleMs)
  webhook.calls.length = 0
}

function callsOf(step: Step, calls: unknown[]): Observation {
  const nameOf = (call: unknown) => JSON.stringify(valueAt(call, 'review.request.name')) ?? ''
  if (step.order === 'name') calls.sort((left, right) => byText(nameOf(left), nameOf(right)))
  const { pickCalls, first } = step
  const chosen = first === undefined ? calls : calls.slice(0, first)
  return local({ calls: inCanonicalOrder(pickCalls ? chosen.map(call => pickPaths(call, pickCalls)) : chosen) })
}

/** Removes and returns the reviews of an external service that belong to this scenario. */
function externalCalls(step: Step, { receiver, variables }: StepContext): Observation {
  const { seen } = receiver.external
  const key = step.key ?? ''
  const mark = substitute(step.match ?? '', variables)
  const isMine = (review: unknown) => JSON.stringify(review).includes(mark)
  const mine = (seen[key] ?? []).filter(isMine)
  seen[key] = (seen[key] ?? []).filter(review => !isMine(review))
  return local({ calls: inCanonicalOrder(mine) })
}
