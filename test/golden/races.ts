import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenario } from './scenario.js'

/**
 * Steps whose recorded response depends on a race in the reference, and how a replay reproduces the outcome. The recordings of
 * different versions show both outcomes of the first one.
 */
interface Race {
  /** Steps before which a new second must start, because times are compared in whole seconds. */
  readonly atNewSecond?: (scenario: Scenario) => readonly number[]
  /** Steps that are polled until the response is as recorded: the reference wrote two states in quick succession. */
  readonly settles?: readonly number[]
}

const races: Readonly<Record<string, Race>> = {
  // Of two default classes the newer one is used, and of two of the same second the first by name. They are created half a second apart:
  // if the second one was recorded as newer, a new second must start between them, otherwise before both.
  'ingressclass/default-class': {
    atNewSecond: ({ steps }) => (JSON.stringify(steps[13]?.expect?.body)?.includes('"i-{{run}}"') ? [4] : [11]),
  },
  // Names are accepted first, and the type is established after that.
  'crd-definition/conversion-ca-bundle-established': { settles: [3] },
  // The loop that writes the status of policies had finished before the step was sent.
  'validating-policies/objects-defaults-and-views': { settles: [13] },
}

const raceOf = ({ area, name }: Scenario): Race => races[`${area}/${name}`] ?? {}

/** How long a step that settles is polled. */
export const settlingMs = 5_000

export const settles = (scenario: Scenario, step: number): boolean => raceOf(scenario).settles?.includes(step) === true

/** Waits until the step may begin. */
export async function untilDue(scenario: Scenario, step: number): Promise<void> {
  if (raceOf(scenario).atNewSecond?.(scenario).includes(step)) await sleep(1000 - (Date.now() % 1000))
}
