import {
  type ActionRequest,
  ApiError,
  type ApiObject,
  badRequest,
  defineAction,
  invalid,
  invalidValue,
  services,
  successStatus,
  type Vendor,
} from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { Pod } from 'orch/sdk/core'
import { evictedPodsAreMarked } from '../differences.js'
import { setPodCondition } from '../pod-condition.js'
import { type Budget, isConflict, retryIfChanged, spendWithRetry } from './eviction-budget.js'
import { Eviction, unreadableOption } from './schema.js'

/** Conflicts with other writers after which an eviction gives up. */
const maxAttempts = 20
/** The eviction of a Pod that is finished, being deleted or not started needs no budget. */
const needsNoBudget = ({ metadata, status }: Pod) =>
  metadata?.deletionTimestamp != null || ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '')

/** Whether the body requests a dry run. */
function checkDryRun(stages: readonly string[]): boolean {
  const other = stages.find(stage => stage !== 'All')
  if (other !== undefined) throw badRequest(`invalid dryRun value "${other}" in deleteOptions: only All is supported`)
  return stages.length > 0
}

type DeleteOptions = Parameters<ActionRequest['deleteTarget']>[0]
/**
 * Sets a condition on the Pod, which distinguishes an eviction from a failure, and then deletes it. Preconditions are
 * checked before the condition is set, because setting it changes the version.
 */
async function markAndDelete(request: ActionRequest, options: DeleteOptions, vendor: Vendor): Promise<void> {
  const { uid, resourceVersion } = options.preconditions ?? {}
  if (options.dryRun || !vendor.level.has(evictedPodsAreMarked)) return request.deleteTarget(options)
  const mark = (draft: ApiObject, { metadata }: ApiObject) => {
    const changed = (what: string, asked: string, is = '') =>
      new ApiError(
        409,
        'Conflict',
        `Operation cannot be fulfilled on Pod "${metadata.name}": the ${what} in the precondition (${asked}) does not match the ${what} in record (${is})`,
        { name: metadata.name ?? '', kind: 'Pod' },
      )
    if (uid && uid !== metadata.uid) throw changed('UID', uid, metadata.uid)
    if (resourceVersion && resourceVersion !== metadata.resourceVersion)
      throw changed('ResourceVersion', resourceVersion, metadata.resourceVersion)
    setPodCondition(draft as Pod, {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
      now: request.now,
    })
  }
  const marked = await request.updateTarget(mark, { keepsOwners: true })
  const preconditions = {
    ...options.preconditions,
    ...(resourceVersion ? { resourceVersion: marked.metadata.resourceVersion ?? '' } : {}),
  }
  await request.deleteTarget({ ...options, preconditions })
}

/** Deletes the Pod, with a precondition on its version if the decision depended on its state. */
async function deleteUnchanged(
  request: ActionRequest,
  options: DeleteOptions,
  { budget = '', resourceVersion }: Awaited<ReturnType<typeof spendWithRetry>>,
  vendor: Vendor,
): Promise<void> {
  const { preconditions } = options
  if (resourceVersion === undefined || preconditions?.resourceVersion) return markAndDelete(request, options, vendor)
  try {
    await markAndDelete(request, { ...options, preconditions: { ...preconditions, resourceVersion } }, vendor)
  } catch (error) {
    throw retryIfChanged(error, budget)
  }
}

/** Deletes the Pod if that needs no budget. Returns it if it does, also if it started in the meantime. */
async function deleteWithoutBudget(
  request: ActionRequest,
  options: DeleteOptions,
  client: Client,
  vendor: Vendor,
): Promise<Pod | undefined> {
  let pod = request.target as ApiObject & Pod
  for (let attempt = 1; ; attempt++) {
    if (!needsNoBudget(pod)) return pod
    const { resourceVersion } = pod.metadata
    const mayStart = pod.status?.phase === 'Pending' && pod.metadata.deletionTimestamp == null
    const isConditional = mayStart && resourceVersion !== undefined && !options.preconditions?.resourceVersion
    try {
      const preconditions = { ...options.preconditions, ...(isConditional ? { resourceVersion } : {}) }
      await markAndDelete(request, { ...options, preconditions }, vendor)
      return undefined
    } catch (error) {
      if (!isConditional || !isConflict(error) || attempt >= maxAttempts) throw error
      pod = await client
        .resource<ApiObject & Pod>({ group: '', version: 'v1', resource: 'pods' })
        .in(request.namespace)
        .get(request.name)
      if (pod.metadata.resourceVersion === resourceVersion) throw error
    }
  }
}

export const eviction = (vendor: Vendor) =>
  defineAction({
    group: 'policy',
    version: 'v1',
    objectKind: 'Eviction',
    formerVersions: ['v1beta1'],
    schema: Eviction,
    needs: { client: services.client, clock: services.clock },
    check({ metadata, deleteOptions }: ApiObject & Eviction, name: string) {
      if (metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object')
      if (deleteOptions?.[unreadableOption]) {
        const field = `deleteOptions.${unreadableOption}`
        const why = 'can not be set for pod eviction, try after removing the option'
        throw invalid({ group: 'policy', kind: 'Eviction' }, name, [invalidValue(field, true, why)])
      }
    },
    handlers: {
      async create(request, { client, clock }) {
        const body = request.body as ApiObject & Eviction
        const { dryRun: stages = [], apiVersion: _, kind: __, ...asked } = body.deleteOptions ?? {}
        const dryRun = checkDryRun(stages) || request.dryRun
        const options = { ...asked, dryRun }
        // Before a disruption is spent and the Pod is marked.
        request.checkDeletion(options)
        const pod = await deleteWithoutBudget(request, options, client, vendor)
        if (pod) {
          const budgets = client.resource<Budget>({ group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' })
          const spent = await spendWithRetry(budgets.in(request.namespace), pod, { now: request.now, dryRun, clock })
          await deleteUnchanged(request, options, spent, vendor)
        }
        return { object: successStatus }
      },
    },
  })
