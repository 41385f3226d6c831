import type { UserInfo } from 'orch/sdk'

/** The decision of a token webhook. */
export interface ReviewAnswer {
  /** Undefined when the token is not valid. */
  readonly user: UserInfo | undefined
  readonly audiences: readonly string[]
  readonly error: string
}

/** Reads the status of an answered TokenReview. Throws if it is invalid: then the request is not authenticated. */
export function readReviewStatus(status: Readonly<Record<string, unknown>>): ReviewAnswer {
  const { authenticated, user, audiences, error } = status
  const answer = { audiences: textsOf(audiences), error: typeof error === 'string' ? error : '' }
  if (authenticated !== true) return { ...answer, user: undefined }
  return { ...answer, user: userOf((user ?? {}) as Readonly<Record<string, unknown>>) }
}

function userOf({ username, uid, groups, extra }: Readonly<Record<string, unknown>>): UserInfo {
  if (typeof username !== 'string' || username === '') throw new Error('the user has no name')
  return {
    name: username,
    ...(typeof uid === 'string' && uid !== '' ? { uid } : {}),
    groups: textsOf(groups),
    ...(typeof extra === 'object' && extra !== null && Object.keys(extra).length > 0
      ? { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, textsOf(values)])) }
      : {}),
  }
}

function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value
  throw new Error('a list in the answer contains a value that is not a string')
}
