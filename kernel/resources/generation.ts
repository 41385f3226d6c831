import type { ApiObject, ObjectMeta } from 'orch/sdk'
import { sameJson } from '../../libs/json/index.js'
import type { ResourceType } from '../types/resource-type.js'

/** metadata.generation: how often the desired state of an object has changed. Clients cannot set it. */

/** The generation follows from the changes of an object: what a client sends is ignored. */
export function keepGeneration(meta: ObjectMeta, stored: ObjectMeta): void {
  if (stored.generation === undefined) delete meta.generation
  else meta.generation = stored.generation
}

/** A change of the fields that the type counts increments the generation. */
export function countGeneration(type: ResourceType, draft: ApiObject, stored: ApiObject): void {
  if (type.countsGenerations && !isSameGeneration(type, draft, stored)) {
    draft.metadata.generation = (stored.metadata.generation ?? 0) + 1
  }
}

/** A change that disappears when the object is normalized for storage does not count. */
export function undoGeneration(type: ResourceType, draft: ApiObject, stored: ApiObject): void {
  const { generation } = draft.metadata
  if (!type.countsGenerations || generation === stored.metadata.generation) return
  if (isSameGeneration(type, draft, stored)) keepGeneration(draft.metadata, stored.metadata)
}

const isSameGeneration = ({ generationFields }: ResourceType, draft: ApiObject, stored: ApiObject): boolean =>
  generationFields.every(field => sameJson(draft[field], stored[field]))
