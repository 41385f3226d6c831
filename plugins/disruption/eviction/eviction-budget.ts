import { ApiError, type ApiObject, type Clock, type Condition, forbidden, timestampOf } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { Pod } from 'orch/sdk/core'
import { labelSelectorMatcher } from 'orch/sdk/validation'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../pod-disruption-budgets/schema.js'

export type Budget = ApiObject & PodDisruptionBudget
/** Evictions of many Pods at once, as of a whole node, all write the same budget. */
const attempts = 20
const delayMs = 100
const retryAfterSeconds = 10
/** With this many evictions not yet observed, the disruption controller is not keeping up. */
const maxDisruptedPods = 2000

const tooManyDisruptions = (cause: string, details: { retryAfterSeconds?: number } = {}) =>
  new ApiError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message: cause }],
    ...details,
  })
/** The client should retry, because the disruption controller is expected to update the budget soon. */
const budgetNotObserved = (name = '') =>
  tooManyDisruptions(`The disruption budget ${name} is still being processed by the server.`, { retryAfterSeconds })

/** The one budget that covers the Pod. More than one is an error. */
function budgetOf(pod: Pod, budgets: readonly Budget[]): Budget | undefined {
  const covering = budgets.filter(({ spec }) => labelSelectorMatcher(spec?.selector)(pod.metadata?.labels))
  if (covering.length > 1)
    // No reason: programs cannot handle this error.
    throw new ApiError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  return covering[0]
}

export const isReady = ({ status }: Pod) =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True')

/**
 * A Pod that is not ready may be evicted without using the budget while enough others are healthy, or always if the
 * policy says so.
 */
function isUncounted(pod: Pod, { spec, status }: Budget): boolean {
  if (isReady(pod)) return false
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { desiredHealthy = 0, currentHealthy = 0 } = status ?? {}
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy
}

/** The conditions with DisruptionAllowed set to False. */
function withDisruptionsDisallowed(status: Partial<PodDisruptionBudgetStatus>, now: number): Condition[] {
  const { conditions = [], observedGeneration = 0 } = status
  const type = 'DisruptionAllowed'
  const before = conditions.find(condition => condition.type === type)
  const updated = {
    message: '',
    ...before,
    type,
    status: 'False',
    reason: 'InsufficientPods',
    ...(observedGeneration === 0 ? {} : { observedGeneration }),
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : timestampOf(now),
  }
  return before ? conditions.map(condition => (condition === before ? updated : condition)) : [...conditions, updated]
}

/** Why the budget does not allow a disruption. */
function whyNotAllowed({ metadata: { name }, status }: Budget): string {
  const { desiredHealthy = 0, currentHealthy = 0, conditions = [] } = status ?? {}
  const disallowed = conditions.find(({ type, status: is }) => type === 'DisruptionAllowed' && is === 'False')
  // After a failure the counts cannot be trusted.
  if (disallowed?.reason === 'SyncFailed' && disallowed.message)
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${disallowed.message}`
  if (currentHealthy <= desiredHealthy)
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  return `The disruption budget ${name} does not allow evicting pods currently${disallowed?.message ? ` (${disallowed.reason}): ${disallowed.message}` : ''}`
}

/** Uses one disruption of the budget and records the Pod. */
function spendBudget(budget: Budget, podName: string, now: number): void {
  const { name } = budget.metadata
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = budget.status ?? {}
  const subject = { group: 'policy', resource: 'poddisruptionbudget', ...(name ? { name } : {}) }
  if (observedGeneration < (budget.metadata.generation ?? 0)) throw budgetNotObserved(name)
  if (disruptionsAllowed < 0) throw forbidden(subject, 'pdb disruptions allowed is negative')
  if (Object.keys(disruptedPods).length > maxDisruptedPods)
    throw forbidden(subject, 'too many evictions are not confirmed by the disruption controller')
  if (disruptionsAllowed === 0) throw tooManyDisruptions(whyNotAllowed(budget))
  const status: Partial<PodDisruptionBudgetStatus> = budget.status ?? {}
  Object.assign(budget, {
    status: {
      ...status,
      disruptionsAllowed: disruptionsAllowed - 1,
      disruptedPods: { ...disruptedPods, [podName]: timestampOf(now) },
      ...(disruptionsAllowed === 1 ? { conditions: withDisruptionsDisallowed(status, now) } : {}),
    },
  })
}

/**
 * Uses a disruption of the budget that covers the Pod; retries on conflicts. A dry run only checks whether this is
 * possible. Returns the version that the Pod must still have when it is deleted, if the eviction depends on its current
 * state.
 */
export async function spendWithRetry(
  budgets: ResourceClient<Budget>,
  pod: Pod,
  { now, dryRun, clock }: { now: number; dryRun: boolean; clock: Clock },
): Promise<{ budget?: string; resourceVersion?: string }> {
  for (let attempt = 1; ; attempt++) {
    const { items } = await budgets.list()
    const budget = budgetOf(pod, items)
    if (!budget) return {}
    const { name = '' } = budget.metadata
    const resourceVersion = pod.metadata?.resourceVersion
    if (isUncounted(pod, budget)) return { budget: name, ...(resourceVersion ? { resourceVersion } : {}) }
    const draft = structuredClone(budget)
    spendBudget(draft, pod.metadata?.name ?? '', now)
    if (dryRun) return {}
    try {
      await budgets.updateSubresource('status', draft)
      return {}
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === attempts) throw timedOut(name)
      // Linear backoff with jitter.
      await new Promise<void>(resolve => clock.after(Math.random() * delayMs * attempt, resolve))
    }
  }
}

/** A conflict means that the Pod changed before it was deleted, so the client must retry. */
export const retryIfChanged = (error: unknown, budget: string): unknown =>
  isConflict(error) ? budgetNotObserved(budget) : error

/** Whether the stored object differs from the expected one. */
export const isConflict = (error: unknown) => error instanceof ApiError && error.reason === 'Conflict'
const timedOut = (budget: string) =>
  new ApiError(504, 'Timeout', `Timeout: couldn't update PodDisruptionBudget "${budget}" due to conflicts`, {
    retryAfterSeconds,
  })
