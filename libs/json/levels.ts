/**
 * Levels that a walk through a value goes down by recursion, which is fast. Values may nest a hundred times deeper than that; what
 * lies below waits in a list until these levels have been left, and the walk goes on from there. So no value exhausts the stack.
 */
export const recursedLevels = 200

/** Are there more lists and objects inside one another? Looks level by level, so that the answer itself cannot exhaust the stack. */
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
