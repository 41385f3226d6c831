import { isObject, own, quoted, sameJson } from '../json/index.js'
import { patchDirective } from './directives.js'
import { malformed } from './errors.js'

/** What identifies an item: itself in a list of scalars, the value of the merge key in a list of objects. */
export function identityOf(item: unknown, mergeKey: string | undefined): unknown {
  if (mergeKey === undefined || !isObject(item)) return item
  const identity = own(item, mergeKey)
  if (identity === undefined) {
    throw malformed(`map: ${quoted(item)} does not contain declared merge key: ${mergeKey}`)
  }
  return identity
}

/** The identity as a map key: clients choose the length of lists, so they must not be searched for every item. */
export const identityText = (item: unknown, mergeKey: string | undefined): string =>
  JSON.stringify(identityOf(item, mergeKey))

/**
 * The order of a merged list: items named by the patch keep the patch's order, the others keep the live order, and the
 * two are interleaved by the live order where it applies.
 */
export function orderMerged(
  merged: readonly unknown[],
  patchOrder: readonly unknown[],
  liveOrder: readonly unknown[],
  mergeKey: string | undefined,
): unknown[] {
  const rankInPatch = ranks(patchOrder, mergeKey)
  const rankLive = ranks(liveOrder, mergeKey)
  const patched = merged.filter(item => rankInPatch(item) >= 0)
  const serverOnly = merged.filter(item => rankInPatch(item) < 0)
  patched.sort((left, right) => rankInPatch(left) - rankInPatch(right))
  serverOnly.sort((left, right) => rankLive(left) - rankLive(right))
  const result: unknown[] = []
  let next = 0
  for (const item of patched) {
    const limit = rankLive(item)
    while (next < serverOnly.length && limit >= 0 && isBefore(rankLive(serverOnly[next]), limit)) {
      result.push(serverOnly[next++])
    }
    result.push(item)
  }
  return [...result, ...serverOnly.slice(next)]
}

function ranks(order: readonly unknown[], mergeKey: string | undefined): (item: unknown) => number {
  const known = new Map<string, number>()
  order.forEach((item, rank) => {
    const identity = identityText(item, mergeKey)
    if (!known.has(identity)) known.set(identity, rank)
  })
  return item => known.get(identityText(item, mergeKey)) ?? -1
}

const isBefore = (rank: number, limit: number) => rank >= 0 && rank < limit

/**
 * The live order that `$setElementOrder` refers to. Added items fill the slots at the end that deletions leave, so that
 * they follow the existing items; further ones are not part of it.
 */
export function orderAfterDeletions(
  live: readonly unknown[],
  sent: readonly unknown[],
  mergeKey: string | undefined,
): readonly unknown[] {
  const directives = mergeKey === undefined ? [] : sent.filter(item => directiveOf(item) !== undefined)
  if (directives.length === 0 || directives.some(item => directiveOf(item) !== 'delete')) return live
  const deleted = new Set(directives.map(item => identityText(item, mergeKey)))
  const left = live.filter(item => !deleted.has(identityText(item, mergeKey)))
  const known = new Set(left.map(item => identityText(item, mergeKey)))
  const added = sent.filter(item => directiveOf(item) === undefined && !known.has(identityText(item, mergeKey)))
  return [...left, ...added.slice(0, live.length - left.length)]
}

const directiveOf = (item: unknown) => (isObject(item) ? own(item, patchDirective) : undefined)

/** Items of the patch must appear in the same order in `$setElementOrder`. */
export function checkElementOrder(
  patchList: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string | undefined,
): void {
  if (order.length === 0 || patchList.length === 0) return
  const set = patchList.filter(item => directiveOf(item) === undefined)
  let next = 0
  for (const entry of order) {
    if (next < set.length && sameJson(identityOf(set[next], mergeKey), identityOf(entry, mergeKey))) next++
  }
  if (next < set.length) {
    throw malformed(
      `The order in patch list:\n${quoted(patchList)}\n doesn't match $setElementOrder list:\n${quoted(order)}\n`,
    )
  }
}
