import { ApiError } from '../resource/api-errors.js'
import { isObjectNotFound } from './error-answers.js'

/** The ways in which a write can lose a race. */
export type LostRace = 'AlreadyExists' | 'Conflict' | 'NotFound' | 'NamespaceTerminating'

const ways: Readonly<Record<LostRace, (error: unknown) => boolean>> = {
  AlreadyExists: error => error instanceof ApiError && error.reason === 'AlreadyExists',
  Conflict: error => error instanceof ApiError && error.reason === 'Conflict',
  NotFound: isObjectNotFound,
  NamespaceTerminating: error =>
    error instanceof ApiError && (error.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating'),
}
/** After these nothing is left to do. After a conflict there may be, based on the changed object. */
const nothingLeft: readonly LostRace[] = ['AlreadyExists', 'NotFound', 'NamespaceTerminating']

/**
 * The result of a write that others may make at the same time; undefined when it lost the race. By default it has lost when
 * nothing is left to do: the object exists already, or is gone, or its namespace is terminating.
 */
export async function unlessLost<T>(write: Promise<T>, ...lost: readonly LostRace[]): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if ((lost.length > 0 ? lost : nothingLeft).some(way => ways[way](error))) return undefined
    throw error
  }
}
