import { type ApiObject, tooManyRequests } from 'orch/sdk'
import type { Claims, Write, WriteResult } from 'orch/sdk/host'
import type { WriteTarget } from './write-target.js'

/** What a write has to say about names that only one object may have: those it takes, and those it gives up. */
export function claimsOf(
  { services, type }: WriteTarget,
  before: ApiObject | undefined,
  after: ApiObject | undefined,
): Pick<Write, 'claims'> {
  const namesOf = type.definition.exclusiveNames as ((object: ApiObject) => readonly string[]) | undefined
  if (!namesOf || !services.store.claims) return {}
  const had = new Set(before && namesOf(before))
  const has = new Set(after && namesOf(after))
  const inStore = (name: string) => `${type.group}/${type.resource}/${name}`
  const claims: Claims = {
    take: [...has].filter(name => !had.has(name)).map(inStore),
    release: [...had].filter(name => !has.has(name)).map(inStore),
  }
  return claims.take.length + claims.release.length === 0 ? {} : { claims }
}

/** A name went to an object of another server after it had looked free here. Another try finds a free one, or says who has it. */
export function throwIfClaimed(result: WriteResult): void {
  if (!result.ok && result.claimed !== undefined) {
    const name = result.claimed.slice(result.claimed.lastIndexOf('/') + 1)
    throw tooManyRequests(`${name} was given to another object meanwhile, please try again`, 1)
  }
}
