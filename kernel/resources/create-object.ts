import { type ApiObject, alreadyExists } from 'orch/sdk'
import { trackUpdate } from '../apply/field-manager.js'
import { attributesOf } from '../types/stored-form.js'
import { claimsOf, throwIfClaimed } from './exclusive-names.js'
import { managedType } from './managed-type.js'
import { generateName } from './object-meta.js'
import { bodyToStore, type Written } from './stored-body.js'
import { runPipeline, type WriteInProgress, warnOfRepeatedOwners } from './write-pipeline.js'
import type { WriteTarget } from './write-target.js'

/** How often a generated name may collide before the client is told. */
const generateNameAttempts = 8

/** Creates an object, given in the version of the request. */
export async function createObject(
  target: WriteTarget,
  sent: ApiObject,
  manager: string,
  isTracked = false,
): Promise<Written> {
  const turn = target.context.yieldIfLarge()
  if (turn) await turn
  warnOfRepeatedOwners(target, sent)
  // The first object of a large type waits until its model has been derived.
  const managed = isTracked ? undefined : managedType(target)
  const derived = target.context.yieldIfLarge()
  if (derived) await derived
  const owned = managed ? trackUpdate(managed, undefined, sent, manager, target.now) : sent
  if (derived) await target.context.yieldIfLarge()
  const draft = target.type.toStorage(owned, target.version)
  const write: WriteInProgress = {
    kind: 'create',
    target,
    operation: 'create',
    name: draft.metadata.name ?? '',
    object: draft,
  }
  await runPipeline(write)
  const converted = target.type.fromWorking(draft, target.version)
  const toStore = converted instanceof Promise ? await converted : converted
  return commitCreate(target, toStore, write.generatesName ?? false, isTracked)
}

async function commitCreate(
  target: WriteTarget,
  created: ApiObject,
  generatesName: boolean,
  isApplied: boolean,
): Promise<Written> {
  const { services, type } = target
  let draft = created
  for (let attempt = 1; ; attempt++) {
    const { namespace = '', name = '', generateName: prefix = '' } = draft.metadata
    const key = type.key(namespace, name)
    const body = bodyToStore(target, draft, isApplied)
    if (target.dryRun) {
      if (!(await services.store.get(key))) return { body, isCreated: true }
    } else {
      const attributes = attributesOf(type, draft)
      const claims = claimsOf(target, undefined, draft)
      const result = await services.store.write({ key, body, attributes, expect: 0, ...claims })
      throwIfClaimed(result)
      if (result.ok) {
        target.context.recordCreated(name)
        return { body: result.body!, isCreated: true }
      }
    }
    // What was derived from the name would not follow it.
    const mayRename = generatesName && !target.strategy.finishCreate
    if (!mayRename || attempt >= generateNameAttempts) throw alreadyExists(target.subject(name))
    draft = { ...draft, metadata: { ...draft.metadata, name: generateName(prefix) } }
  }
}
