import {
  type ActionSubresource,
  ApiError,
  type ApiObject,
  badRequest,
  internalError,
  labelSelectorMatcher,
  type Pod,
  type ResourceClient,
  services,
} from 'orch/sdk'
import type { PodDisruptionBudget } from '../pod-disruption-budgets/schema.js'
import { success } from './binding.js'
import { Eviction } from './eviction-schema.js'

type Budget = ApiObject & PodDisruptionBudget
const attempts = 5

/** A Pod that runs nothing any more, or never did, costs no budget. */
const isFree = ({ metadata, status }: Pod) =>
  metadata?.deletionTimestamp != null || ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '')

/** The one budget that covers the Pod. More than one is nobody's decision. */
function budgetOf(pod: Pod, budgets: readonly Budget[]): Budget | undefined {
  const covering = budgets.filter(({ spec }) => labelSelectorMatcher(spec?.selector)(pod.metadata?.labels))
  if (covering.length > 1)
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  return covering[0]
}

/** Takes one disruption from the budget and remembers for which Pod. */
function spendBudget(budget: Budget, podName: string, now: number): void {
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = budget.status ?? {}
  const refuse = (message: string, cause: string) =>
    new ApiError(429, 'TooManyRequests', message, { causes: [{ reason: 'DisruptionBudget', message: cause }] })
  if (observedGeneration < (budget.metadata.generation ?? 0))
    throw refuse(
      "Cannot evict pod as it would violate the pod's disruption budget.",
      `The disruption budget ${budget.metadata.name} is still being processed by the server.`,
    )
  if (disruptionsAllowed <= 0)
    throw refuse(
      "Cannot evict pod as it would violate the pod's disruption budget.",
      `The disruption budget ${budget.metadata.name} needs ${budget.status?.desiredHealthy ?? 0} healthy pods and has ${budget.status?.currentHealthy ?? 0} currently`,
    )
  Object.assign(budget, {
    status: {
      ...budget.status,
      disruptionsAllowed: disruptionsAllowed - 1,
      disruptedPods: { ...disruptedPods, [podName]: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z') },
    },
  })
}

/** Spends, again if somebody else wrote the budget meanwhile. A dry run only looks whether it could. */
async function spendWithRetry(
  budgets: ResourceClient<Budget>,
  pod: Pod,
  { now, dryRun }: { now: number; dryRun: boolean },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { items } = await budgets.list()
    const budget = budgetOf(pod, items)
    if (!budget) return
    const draft = structuredClone(budget)
    spendBudget(draft, pod.metadata?.name ?? '', now)
    if (dryRun) return
    try {
      await budgets.updateSubresource('status', draft)
      return
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'Conflict') || attempt === attempts) throw error
    }
  }
}

/** Whether the body asks for a dry run, which is one of every stage or none. */
function checkDryRun(stages: readonly string[]): boolean {
  const other = stages.find(stage => stage !== 'All')
  if (other !== undefined) throw badRequest(`invalid dryRun value "${other}" in deleteOptions: only All is supported`)
  return stages.length > 0
}

const needs = { client: services.client }

export const eviction = {
  kind: 'action',
  group: 'policy',
  version: 'v1',
  objectKind: 'Eviction',
  formerVersions: ['v1beta1'],
  schema: Eviction,
  needs,
  check({ metadata }: ApiObject & Eviction, name: string) {
    if ((metadata.name ?? name) !== name) throw badRequest('name in URL does not match name in Eviction object')
  },
  handlers: {
    async create(request, { client }) {
      const body = request.body as ApiObject & Eviction
      const pod = request.target as unknown as Pod
      const { gracePeriodSeconds, preconditions, dryRun: stages = [] } = body.deleteOptions ?? {}
      const dryRun = checkDryRun(stages) || request.dryRun
      if (!isFree(pod)) {
        const budgets = client.resource<Budget>({ group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' })
        await spendWithRetry(budgets.in(request.namespace), pod, { now: request.now, dryRun })
      }
      await request.deleteTarget({ gracePeriodSeconds, preconditions, dryRun })
      return { object: success }
    },
  },
} satisfies ActionSubresource<typeof needs>
