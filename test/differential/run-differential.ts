import { randomBytes } from 'node:crypto'
import { SeededRandom } from '../fuzz/seeded-random.js'
import type { JsonObject } from '../golden/json-paths.js'
import type { Scenario } from '../golden/scenario.js'
import { causeOf, formOf, resourceOf } from './cause.js'
import { converse, type Disagreement, type Explained, type Outcome, type Pair, recorded } from './converse.js'
import { randomConversation } from './random-conversation.js'
import { shrink } from './shrink.js'
import type { Vocabulary } from './vocabulary.js'

export interface DifferentialOptions {
  readonly requests: number
  readonly seed: number
  /** Conversations at a time. */
  readonly parallel?: number
  /** How many smaller conversations may be tried for each cause; none leaves them as they are. */
  readonly shrinkAttempts?: number
  /** Only this conversation, as a report names it. */
  readonly conversation?: number
  progress?(text: string): void
}

/** Differences of the same cause. */
export interface Group {
  readonly cause: string
  hits: number
  /** Forms of the requests that showed it. */
  readonly forms: Set<string>
  /** Numbers of the conversations that showed it first. */
  readonly conversations: number[]
  /** The first disagreement, as the smallest conversation shows it. */
  disagreement: Disagreement
  /** The smallest conversation that shows it, with what the reference answers. */
  scenario: JsonObject
}

/** Intended differences of one reason, with samples that reveal reasons that match too much. */
export interface ExplainedGroup {
  hits: number
  readonly samples: Set<string>
}

export interface DifferentialResult {
  readonly answered: number
  readonly conversations: number
  readonly groups: readonly Group[]
  /** The intended differences that came up, by reason. */
  readonly explained: ReadonlyMap<string, ExplainedGroup>
  /** Causes of differences that could not be reproduced. */
  readonly unsteady: ReadonlyMap<string, number>
  /** Conversations that could not be prepared. */
  readonly problems: readonly string[]
}

const conversationSeedStep = 1_000_003
const conversationsKept = 5
const samplesKept = 40
const sampleLength = 300

function sampleOf({ step, difference }: Explained): string {
  const { at, expected, actual, messages = '' } = difference
  const values = `${JSON.stringify(expected)} or ${JSON.stringify(actual)}`
  return `${resourceOf(step)} ${formOf(step)}: ${at} ${values} ${messages}`.slice(0, sampleLength)
}

/** Runs conversations with both servers until enough requests were answered, then shrinks those with a difference. */
export async function runDifferential(
  pair: Pair,
  vocabulary: Vocabulary,
  options: DifferentialOptions,
): Promise<DifferentialResult> {
  const { requests, seed, parallel = 6, shrinkAttempts = 200, progress } = options
  const found = new Map<string, { group: Group; scenario: Scenario }>()
  const explained = new Map<string, ExplainedGroup>()
  const unsteady = new Map<string, number>()
  const problems: string[] = []
  let answered = 0
  let next = options.conversation ?? 0
  const isDone = () => (options.conversation === undefined ? answered >= requests : next > options.conversation)

  const note = (scenario: Scenario, number: number, outcome: Outcome) => {
    for (const one of outcome.explained) {
      const known = explained.get(one.reason) ?? { hits: 0, samples: new Set<string>() }
      explained.set(one.reason, known)
      known.hits++
      if (known.samples.size < samplesKept) known.samples.add(sampleOf(one))
    }
    if (outcome.problem !== undefined) problems.push(`conversation ${number}: ${outcome.problem}`)
    const { disagreement } = outcome
    if (!disagreement) return
    const cause = causeOf(disagreement)
    const known = found.get(cause)
    const group = known?.group ?? {
      cause,
      hits: 0,
      forms: new Set<string>(),
      conversations: [],
      disagreement,
      scenario: recorded(scenario, outcome.expectations),
    }
    if (!known) found.set(cause, { group, scenario })
    group.hits++
    group.forms.add(formOf(disagreement.step))
    if (group.conversations.length < conversationsKept) group.conversations.push(number)
  }

  const talk = async () => {
    while (!isDone()) {
      const number = next++
      const scenario = randomConversation(new SeededRandom(seed + number * conversationSeedStep), vocabulary, number)
      const outcome = await converse(scenario, newRunId(), pair)
      if (Math.floor((answered + outcome.answered) / 1000) > Math.floor(answered / 1000))
        progress?.(`${answered + outcome.answered} requests, ${found.size} causes`)
      answered += outcome.answered
      note(scenario, number, outcome)
    }
  }
  await Promise.all(Array.from({ length: parallel }, talk))

  const queue = [...found.values()].sort((one, other) => other.group.hits - one.group.hits)
  const groups: Group[] = []
  const shrinkAll = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const { group, scenario } = item
      if (shrinkAttempts === 0 || (await smallest(group, scenario, pair, shrinkAttempts))) groups.push(group)
      else unsteady.set(group.cause, group.hits)
      progress?.(`${queue.length} causes to shrink`)
    }
  }
  await Promise.all(Array.from({ length: parallel }, shrinkAll))
  groups.sort((one, other) => other.hits - one.hits || (one.cause < other.cause ? -1 : 1))
  return { answered, conversations: next - (options.conversation ?? 0), groups, explained, unsteady, problems }
}

/** Stores the smallest conversation in a group; false if the difference cannot be reproduced. */
async function smallest(group: Group, scenario: Scenario, pair: Pair, attempts: number): Promise<boolean> {
  const shown = async (smaller: Scenario): Promise<Outcome | undefined> => {
    const outcome = await converse(smaller, newRunId(), pair)
    return outcome.disagreement && causeOf(outcome.disagreement) === group.cause ? outcome : undefined
  }
  const again = (await shown(scenario)) && (await shown(scenario))
  if (!again?.disagreement) return false
  let last = { outcome: again, scenario }
  await shrink(
    scenario,
    again.disagreement.index,
    async smaller => {
      const outcome = await shown(smaller)
      if (outcome) last = { outcome, scenario: smaller }
      return outcome !== undefined
    },
    attempts,
  )
  group.disagreement = last.outcome.disagreement!
  group.scenario = recorded(last.scenario, last.outcome.expectations)
  return true
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
/** Makes the names of a conversation unique on both servers. */
const newRunId = () => `z${[...randomBytes(6)].map(byte => alphabet[byte % alphabet.length]).join('')}`
