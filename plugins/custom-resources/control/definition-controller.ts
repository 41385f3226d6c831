import { isDeepStrictEqual } from 'node:util'
import { ApiError, type ApiObject, defineController } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { loopNeeds, startControlLoop } from 'orch/sdk/controllers'
import type { CustomResourceDefinition, DefinitionStatus } from '../definitions/schema.js'
import { approvalState, isProtectedGroup } from '../definitions/validate-names.js'
import type { CustomResourceNames } from '../names.js'
import { acceptNames, claimKeysOf, NameClaims } from './accept-names.js'
import { conditionOf, isTrue, withCondition } from './conditions.js'

/** How soon a deleted definition is reconciled again while objects are still being deleted. */
const deletionPollMs = 200

interface Work {
  readonly names: CustomResourceNames
  readonly client: Client
  readonly now: number
  readonly claims: NameClaims
  /** Names of the definitions that have claimed a name, by claim key. */
  readonly ownersOf: (place: string) => readonly string[]
}

/** Accepts names, establishes types and deletes the objects of deleted definitions. */
export const definitionController = (names: CustomResourceNames) =>
  defineController({
    name: 'customresourcedefinition',
    account: 'customresourcedefinition-controller',
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [names.group], resources: ['customresourcedefinitions'] },
      {
        verbs: ['update', 'patch'],
        apiGroups: [names.group],
        resources: [
          'customresourcedefinitions',
          'customresourcedefinitions/status',
          'customresourcedefinitions/finalizers',
        ],
      },
      { verbs: ['list', 'delete', 'deletecollection'], apiGroups: ['*'], resources: ['*'] },
    ],
    needs: loopNeeds,
    start: runtime => {
      const { client, clock } = runtime
      const claims = new NameClaims()
      const loop = startControlLoop({
        ...runtime,
        name: 'customresourcedefinition',
        workers: 4,
        sources: [{ resource: names.definitions }],
        async reconcile(name, caches) {
          const cache = caches.of<CustomResourceDefinition & ApiObject>(names.definitions)
          cache.addIndex('names', claimKeysOf)
          cache.addIndex('waiting', ({ status }) =>
            conditionOf(status.conditions, 'NamesAccepted')?.status === 'False' ? ['for names'] : [],
          )
          claims.release(name)
          const ownersOf = (place: string) => [
            ...cache.indexed('names', place).map(({ metadata }) => metadata.name ?? ''),
            ...(claims.ownerOf(place) === undefined ? [] : [claims.ownerOf(place)!]),
          ]
          const work = { names, client, now: clock.now(), claims, ownersOf }
          const definition = cache.get('', name)
          if (definition?.metadata.deletionTimestamp) return (await removeObjects(definition, work)) ?? undefined
          if (definition) await reconcileNames(definition, work)
          // Another definition may be waiting for a name that was released.
          for (const other of cache.indexed('waiting', 'for names'))
            if (other.metadata.name !== name) await reconcileNames(other, work)
        },
      })
      return loop
    },
  })

const definitionsOf = (work: Work) => work.client.resource<ApiObject>(work.names.definitions)

/** Accepts or rejects names and establishes the type once they are accepted. */
async function reconcileNames(definition: CustomResourceDefinition, work: Work): Promise<void> {
  if (definition.metadata.deletionTimestamp) return
  const { acceptedNames, condition } = acceptNames(definition, work.ownersOf)
  let conditions = withCondition(definition.status.conditions, condition, work.now)
  const isAccepted = condition.status === 'True'
  const isEstablished = isTrue(conditions, 'Established')
  if (!isEstablished) {
    conditions = withCondition(
      conditions,
      isAccepted
        ? {
            type: 'Established',
            status: 'False',
            reason: 'Installing',
            message: 'the initial names have been accepted',
          }
        : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
      work.now,
    )
  }
  const approval = approvalCondition(definition, work.names)
  if (approval) conditions = withCondition(conditions, approval, work.now)
  const status = { ...definition.status, acceptedNames, conditions }
  work.claims.claim({ ...definition, status })
  const updated = await writeStatus(definition, status, work)
  if (updated === definition) work.claims.release(definition.metadata.name ?? '')
  if (isEstablished || !isAccepted || !updated) return
  conditions = withCondition(
    conditions,
    {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    },
    work.now,
  )
  await writeStatus(updated, { ...updated.status, conditions }, work)
}

function approvalCondition(definition: CustomResourceDefinition, names: CustomResourceNames) {
  if (!isProtectedGroup(definition.spec.group, names)) return undefined
  const { state, value } = approvalState(definition, names)
  const type = names.approvalCondition
  if (state === 'approved')
    return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${value}` }
  const reasons = {
    bypassed: 'UnapprovedAnnotation',
    missing: 'MissingAnnotation',
    invalid: 'InvalidAnnotation',
  } as const
  return { type, status: 'False', reason: reasons[state], message: `not approved: ${JSON.stringify(value)}` }
}

/** Writes the status if it changed. Returns the updated definition, or undefined after a conflict: the other change triggers a reconcile. */
async function writeStatus(
  definition: CustomResourceDefinition,
  status: DefinitionStatus,
  work: Work,
): Promise<CustomResourceDefinition | undefined> {
  if (isDeepStrictEqual(status, definition.status)) return definition
  const changed = { ...definition, status } as unknown as ApiObject
  try {
    const { fieldManager } = work.names
    const written = await definitionsOf(work).updateSubresource('status', changed, { fieldManager })
    return written as unknown as CustomResourceDefinition
  } catch (error) {
    if (error instanceof ApiError && (error.code === 409 || error.code === 404)) return undefined
    throw error
  }
}

/** Deletes the objects of a deleted definition, and removes its finalizer once they are gone. */
async function removeObjects(
  definition: CustomResourceDefinition,
  work: Work,
): Promise<{ requeueAfterMs: number } | undefined> {
  const { metadata, spec, status } = definition
  const finalizers = metadata.finalizers ?? []
  if (!finalizers.includes(work.names.cleanupFinalizer)) return undefined
  const inProgress = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'objects are being deleted',
  }
  const conditions = withCondition(status.conditions, inProgress, work.now)
  const marked = await writeStatus(definition, { ...status, conditions }, work)
  if (!marked) return undefined
  if (isTrue(status.conditions, 'Established') && (await remaining(spec, work)) > 0)
    return { requeueAfterMs: deletionPollMs }
  const rest = (marked.metadata.finalizers ?? []).filter(each => each !== work.names.cleanupFinalizer)
  const completed = {
    type: 'Terminating',
    status: 'False',
    reason: 'InstanceDeletionCompleted',
    message: 'removed all instances',
  }
  const { finalizers: _, ...others } = marked.metadata
  await writeStatus(
    { ...marked, metadata: rest.length > 0 ? { ...others, finalizers: rest } : others },
    { ...marked.status, conditions: withCondition(marked.status.conditions, completed, work.now) },
    work,
  )
  return undefined
}

/** Deletes the objects that are left. Returns 0 once there are none. */
async function remaining(
  { group, names, versions }: CustomResourceDefinition['spec'],
  { client }: Work,
): Promise<number> {
  const version = versions?.find(each => each.served && each.storage) ?? versions?.find(each => each.served)
  if (!version) return 0
  const objects = client.resource<ApiObject>({ group, version: version.name, resource: names.plural })
  let count = 0
  for await (const { metadata } of objects.each({ limit: 500 })) {
    count++
    if (metadata.deletionTimestamp) continue
    try {
      await objects.in(metadata.namespace ?? '').delete(metadata.name!)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) throw error
    }
  }
  if (count === 0) return 0
  for await (const _ of objects.each({ limit: 1 })) return count
  return 0
}
