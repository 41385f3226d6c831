import type { PathElement } from './path-element.js'

/**
 * The order of a merged list, as positions in `live` and, after those, among the applied items that it lacks. Applied items keep the order
 * of the applied list; those that only the live one has stay behind their predecessors, unless that contradicts it.
 */
export function mergedOrder(live: readonly PathElement[], applied: readonly PathElement[]): number[] {
  const place = new Map<PathElement, number>()
  for (const [position, element] of live.entries()) if (!place.has(element)) place.set(element, position)
  const shared = applied.filter(element => place.has(element))
  let free = live.length
  for (const element of applied) if (!place.has(element)) place.set(element, free++)
  const sent = new Set(applied)
  const order: number[] = []
  const taken = new Set<PathElement>()
  let nextShared = 0
  const take = (element: PathElement) => {
    order.push(place.get(element)!)
    taken.add(element)
    if (shared[nextShared] === element) nextShared++
  }
  for (let l = 0, r = 0; l < live.length || r < applied.length; ) {
    const [left, right] = [live[l], applied[r]]
    if (left !== undefined && !sent.has(left)) order.push(l++)
    else if (left !== undefined && left === right) {
      take(right)
      l++
      r++
    }
    // Its turn comes later.
    else if (left !== undefined && right !== undefined && nextShared < shared.length && shared[nextShared] !== left) l++
    else {
      if (left !== undefined && taken.has(left)) l++
      if (right !== undefined) {
        take(right)
        r++
      }
    }
  }
  return order
}
