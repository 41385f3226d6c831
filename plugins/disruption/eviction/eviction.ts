import { type ActionRequest, type ApiObject, badRequest, defineAction, services, successStatus } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { Pod } from 'orch/sdk/core'
import { type Budget, isConflict, refuseChanged, spendWithRetry } from './eviction-budget.js'
import { Eviction } from './schema.js'

/** A Pod that runs nothing any more, or never did, costs no budget. */
const isFree = ({ metadata, status }: Pod) =>
  metadata?.deletionTimestamp != null || ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '')

/** Whether the body asks for a dry run, which is one of every stage or none. */
function checkDryRun(stages: readonly string[]): boolean {
  const other = stages.find(stage => stage !== 'All')
  if (other !== undefined) throw badRequest(`invalid dryRun value "${other}" in deleteOptions: only All is supported`)
  return stages.length > 0
}

type DeleteOptions = Parameters<ActionRequest['deleteTarget']>[0]
/** Deletes the Pod, with a precondition on its version if the decision depended on its state. */
async function deleteUnchanged(
  request: ActionRequest,
  options: DeleteOptions,
  { budget = '', resourceVersion }: Awaited<ReturnType<typeof spendWithRetry>>,
): Promise<void> {
  const { preconditions } = options
  if (resourceVersion === undefined || preconditions?.resourceVersion) return request.deleteTarget(options)
  try {
    await request.deleteTarget({ ...options, preconditions: { ...preconditions, resourceVersion } })
  } catch (error) {
    throw refuseChanged(error, budget)
  }
}

/** Deletes a Pod that costs no budget. Answers the one that does, also if it began to run meanwhile. */
async function deleteWhileFree(
  request: ActionRequest,
  options: DeleteOptions,
  client: Client,
): Promise<Pod | undefined> {
  for (let pod = request.target as ApiObject & Pod; ; ) {
    if (!isFree(pod)) return pod
    const { resourceVersion } = pod.metadata
    const mayBegin = pod.status?.phase === 'Pending' && pod.metadata.deletionTimestamp == null
    const isWatched = mayBegin && resourceVersion !== undefined && !options.preconditions?.resourceVersion
    try {
      const preconditions = { ...options.preconditions, ...(isWatched ? { resourceVersion } : {}) }
      await request.deleteTarget({ ...options, preconditions })
      return undefined
    } catch (error) {
      if (!isWatched || !isConflict(error)) throw error
      pod = await client
        .resource<ApiObject & Pod>({ group: '', version: 'v1', resource: 'pods' })
        .in(request.namespace)
        .get(request.name)
      if (pod.metadata.resourceVersion === resourceVersion) throw error
    }
  }
}

export const eviction = defineAction({
  group: 'policy',
  version: 'v1',
  objectKind: 'Eviction',
  formerVersions: ['v1beta1'],
  schema: Eviction,
  needs: { client: services.client, clock: services.clock },
  check({ metadata }: ApiObject & Eviction, name: string) {
    if (metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object')
  },
  handlers: {
    async create(request, { client, clock }) {
      const body = request.body as ApiObject & Eviction
      const { dryRun: stages = [], ...asked } = body.deleteOptions ?? {}
      const dryRun = checkDryRun(stages) || request.dryRun
      const options = { ...asked, dryRun }
      const pod = await deleteWhileFree(request, options, client)
      if (pod) {
        const budgets = client.resource<Budget>({ group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' })
        const spent = await spendWithRetry(budgets.in(request.namespace), pod, { now: request.now, dryRun, clock })
        await deleteUnchanged(request, options, spent)
      }
      return { object: successStatus }
    },
  },
})
