import type { ApiObject, ObjectMeta } from 'orch/sdk'
import { sameJson } from '../../libs/json/index.js'
import type { ResourceType } from '../types/resource-type.js'

/** metadata.generation: how often what is wanted of an object has changed. Clients cannot set it. */

/** Which generation an object is of follows from what changes in it: what a client sends does not count. */
export function keepGeneration(meta: ObjectMeta, stored: ObjectMeta): void {
  if (stored.generation === undefined) delete meta.generation
  else meta.generation = stored.generation
}

/** A change of what the type counts begins the next generation. */
export function countGeneration(type: ResourceType, draft: ApiObject, stored: ApiObject): void {
  if (type.countsGenerations && !isSameGeneration(type, draft, stored)) {
    draft.metadata.generation = (stored.metadata.generation ?? 0) + 1
  }
}

/** What only looked like a change before the object had the form in which it is stored has changed nothing. */
export function takeBackGeneration(type: ResourceType, draft: ApiObject, stored: ApiObject): void {
  const { generation } = draft.metadata
  if (!type.countsGenerations || generation === stored.metadata.generation) return
  if (isSameGeneration(type, draft, stored)) keepGeneration(draft.metadata, stored.metadata)
}

const isSameGeneration = ({ generationFields }: ResourceType, draft: ApiObject, stored: ApiObject): boolean =>
  generationFields.every(field => sameJson(draft[field], stored[field]))
