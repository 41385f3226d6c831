import { type ApiObject, defineStartTask, services } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { KeyWorkers, withCondition } from 'orch/sdk/controllers'
import type { DescribedObjects } from 'orch/sdk/server'
import type { CustomResourceDefinition, DefinitionCondition } from '../definitions/schema.js'
import type { CustomResourceNames } from '../names.js'
import { isTrue } from './conditions.js'
import { writeStatus } from './write-status.js'

/** How soon a deleted definition is reconciled again while objects are still being deleted. */
const deletionPollMs = 200

interface Work {
  readonly names: CustomResourceNames
  readonly client: Client
  readonly objects: DescribedObjects
  readonly now: number
}

/**
 * Deletes the objects of deleted definitions. This is not a control loop, because objects are found by the collection
 * that the type of the definition has in the store: the names of a definition are chosen by a user, and a path built
 * from them could lead to objects of another type.
 */
export const removeObjectsOfDefinitions = (names: CustomResourceNames) =>
  defineStartTask({
    name: 'clean-up of deleted definitions',
    once: true,
    needs: {
      caches: services.caches,
      client: services.client,
      clock: services.clock,
      logger: services.logger,
      metrics: services.metrics,
      objects: services.describedObjects,
    },
    run({ caches, client, clock, logger, metrics, objects }) {
      // The cache of the server instead of a watch, because a server without control loops has no watching client.
      const definitions = caches.of<CustomResourceDefinition & ApiObject>(names.definitions)
      const workers = new KeyWorkers({
        name: 'customresourcedefinition-cleanup',
        clock,
        logger,
        metrics,
        workers: 4,
        async work(name) {
          const definition = definitions.get('', name)
          if (!definition?.metadata.deletionTimestamp) return
          return removeObjects(definition, { names, objects, client, now: clock.now() })
        },
      })
      const stopFollowing = definitions.onChange(({ object, type }) => {
        if (type !== 'deleted' && object.metadata.deletionTimestamp) workers.add(object.metadata.name ?? '')
      })
      workers.start()
      return async () => {
        stopFollowing()
        await workers.stop()
      }
    },
  })

/** Deletes the objects of a deleted definition, and removes its finalizer once they are gone. */
async function removeObjects(
  definition: CustomResourceDefinition,
  work: Work,
): Promise<{ requeueAfterMs: number } | undefined> {
  const { metadata, status } = definition
  if (!metadata.finalizers?.includes(work.names.cleanupFinalizer)) return undefined
  const inProgress = terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress')
  const conditions = withCondition(status.conditions, inProgress, work.now)
  const marked = await writeStatus(definition, { ...status, conditions }, work)
  if (!marked) return undefined
  const outcome = await deleteObjects(marked, work)
  if (outcome === undefined) return { requeueAfterMs: deletionPollMs }
  const { finalizers = [], ...others } = marked.metadata
  const rest = finalizers.filter(each => each !== work.names.cleanupFinalizer)
  await writeStatus(
    { ...marked, metadata: rest.length > 0 ? { ...others, finalizers: rest } : others },
    { ...marked.status, conditions: withCondition(marked.status.conditions, outcome, work.now) },
    work,
  )
  return undefined
}

/** The condition once all objects are deleted; undefined before. */
async function deleteObjects(definition: CustomResourceDefinition, work: Work) {
  if (!isTrue(definition.status.conditions, 'Established'))
    return terminating('False', 'NeverEstablished', 'resource was never established')
  const { group, resource } = work.names.definitions
  try {
    const left = await work.objects.deleteAll({ group, resource, name: definition.metadata.name ?? '' })
    return left > 0 ? undefined : terminating('False', 'InstanceDeletionCompleted', 'removed all instances')
  } catch (error) {
    const why = `could not issue all deletes: ${error instanceof Error ? error.message : String(error)}`
    const failed = terminating('True', 'InstanceDeletionFailed', why)
    const conditions = withCondition(definition.status.conditions, failed, work.now)
    await writeStatus(definition, { ...definition.status, conditions }, work)
    throw error
  }
}

const terminating = (
  status: 'True' | 'False',
  reason: string,
  message: string,
): Omit<DefinitionCondition, 'lastTransitionTime'> => ({ type: 'Terminating', status, reason, message })
