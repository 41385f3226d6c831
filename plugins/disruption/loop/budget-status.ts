import { isDeepStrictEqual } from 'node:util'
import type { Condition } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { labelSelectorMatcher } from 'orch/sdk/validation'
import { isReady } from '../eviction/eviction-budget.js'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../pod-disruption-budgets/schema.js'

/** An allowed eviction counts as a disruption for this long even if the Pod is not observed to be deleted. */
export const evictionTimeoutMs = 120_000

export const covers = ({ spec }: PodDisruptionBudget): ((pod: Pod) => boolean) => {
  const matches = labelSelectorMatcher(spec?.selector)
  return ({ metadata }) => matches(metadata?.labels)
}

const countOfPercent = (share: string, count: number) => Math.ceil((Number(share.slice(0, -1)) * count) / 100)
const countOf = (share: number | string, count: number) =>
  typeof share === 'number' ? share : countOfPercent(share, count)

/**
 * How many Pods there should be and how many of them must be healthy. A minimum number of Pods refers to the existing
 * ones; everything else refers to the desired number, `scale`.
 */
export function expectationOf({ spec }: PodDisruptionBudget, podCount: number, scale: number) {
  const { minAvailable, maxUnavailable } = spec ?? {}
  if (maxUnavailable !== undefined)
    return { expectedPods: scale, desiredHealthy: Math.max(0, scale - countOf(maxUnavailable, scale)) }
  if (typeof minAvailable === 'number') return { expectedPods: podCount, desiredHealthy: minAvailable }
  if (minAvailable === undefined) return { expectedPods: podCount, desiredHealthy: 0 }
  return { expectedPods: scale, desiredHealthy: countOfPercent(minAvailable, scale) }
}

/** The status that a budget should have. */
export function statusOf(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  expected: { expectedPods: number; desiredHealthy: number },
  now: number,
): PodDisruptionBudgetStatus {
  const byName = new Map(pods.map(pod => [pod.metadata?.name ?? '', pod]))
  const disruptedPods = Object.fromEntries(
    Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, since]) => {
      const pod = byName.get(name)
      return pod && !pod.metadata?.deletionTimestamp && Date.parse(since ?? '') + evictionTimeoutMs > now
    }),
  )
  const isHealthy = (pod: Pod) =>
    isReady(pod) && !pod.metadata?.deletionTimestamp && !Object.hasOwn(disruptedPods, pod.metadata?.name ?? '')
  const currentHealthy = pods.filter(isHealthy).length
  const { expectedPods, desiredHealthy } = expected
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0
  const generation = budget.metadata?.generation
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods } : {}),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: conditionsOf(budget, disruptionsAllowed > 0, now),
  }
}

function conditionsOf({ metadata, status }: PodDisruptionBudget, isAllowed: boolean, now: number): Condition[] {
  const type = 'DisruptionAllowed'
  const known = status?.conditions?.find(condition => condition.type === type)
  const others = (status?.conditions ?? []).filter(condition => condition.type !== type)
  const value = isAllowed ? 'True' : 'False'
  const changedNow = timestampOf(now)
  const condition = {
    type,
    status: value,
    observedGeneration: metadata?.generation ?? 0,
    lastTransitionTime: known?.status === value ? known.lastTransitionTime : changedNow,
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  }
  return [...others, condition]
}

export const isSameStatus = (one: PodDisruptionBudgetStatus | undefined, other: PodDisruptionBudgetStatus): boolean =>
  isDeepStrictEqual(one, other)
