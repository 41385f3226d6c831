/**
 * The depth to which a walk recurses, which is fast. Values may nest a hundred times deeper; the deeper parts are
 * queued and walked after the recursion has returned, so no value exhausts the stack.
 */
export const recursedLevels = 200

/**
 * Whether lists and objects nest deeper than `levels`. Walks level by level, so that the check itself cannot exhaust
 * the stack.
 */
export function nestsDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    const next: unknown[] = []
    for (const parent of level) {
      if (typeof parent !== 'object' || parent === null) continue
      for (const each of Object.values(parent)) if (typeof each === 'object' && each !== null) next.push(each)
    }
    level = next
  }
  return false
}
