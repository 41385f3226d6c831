import { ApiError } from '../resource/api-errors.js'
import { isObjectNotFound } from './error-answers.js'

/** How a write can lose against what others do at the same time. */
export type LostRace = 'AlreadyExists' | 'Conflict' | 'NotFound' | 'NamespaceTerminating'

const ways: Readonly<Record<LostRace, (error: unknown) => boolean>> = {
  AlreadyExists: error => error instanceof ApiError && error.reason === 'AlreadyExists',
  Conflict: error => error instanceof ApiError && error.reason === 'Conflict',
  NotFound: isObjectNotFound,
  NamespaceTerminating: error =>
    error instanceof ApiError && (error.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating'),
}
/** Then there is nothing left to do. After a conflict there may be, with what the object is by then. */
const nothingLeft: readonly LostRace[] = ['AlreadyExists', 'NotFound', 'NamespaceTerminating']

/**
 * The answer to a write that others may make at the same time; undefined when it lost. What counts as lost are the ways that are
 * named, by default those that leave nothing to do: the object is there already, or is gone, or its namespace is on its way out.
 */
export async function unlessLost<T>(write: Promise<T>, ...lost: readonly LostRace[]): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if ((lost.length > 0 ? lost : nothingLeft).some(way => ways[way](error))) return undefined
    throw error
  }
}
