import { isDeepStrictEqual } from 'node:util'
import type { Toleration } from 'orch/sdk'

/** Both lists as one, without those that another one covers. Of two equal ones the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second]
  const merged: Toleration[] = []
  for (const [i, toleration] of all.entries()) {
    const isCovered =
      merged.some(other => covers(other, toleration)) ||
      all.slice(i + 1).some(other => !isDeepStrictEqual(other, toleration) && covers(other, toleration))
    // A copy: what the cache or the configuration holds must not become part of a Pod.
    if (!isCovered) merged.push({ ...toleration })
  }
  return merged
}

/** Does every taint that the narrow one tolerates have it from the wide one, for at least as long? */
export function covers(wide: Toleration, narrow: Toleration): boolean {
  if (isDeepStrictEqual(wide, narrow)) return true
  const isForAll = wide.operator === 'Exists'
  const isEveryKey = !wide.key && isForAll
  if ((wide.key ?? '') !== (narrow.key ?? '') && !isEveryKey) return false
  if (wide.effect && wide.effect !== narrow.effect) return false
  // How long it is tolerated matters for eviction only; without a number it is for ever.
  if (narrow.effect === 'NoExecute' && wide.tolerationSeconds !== undefined)
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds) return false
  return isForAll || ((wide.operator ?? '') === (narrow.operator ?? '') && isEqual(wide) && sameValue(wide, narrow))
}

const isEqual = ({ operator = '' }: Toleration) => operator === '' || operator === 'Equal'
const sameValue = (one: Toleration, other: Toleration) => (one.value ?? '') === (other.value ?? '')
