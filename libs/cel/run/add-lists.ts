import { ArrayList, type CelList } from './values.js'
import type { Work } from './work.js'

/** `X + Y`. Sets are united and map lists are merged; items of `X` keep their positions. */
export function addLists(work: Work, one: CelList, other: CelList): CelList {
  work.steps(2 * (one.size + other.size))
  const { semantics } = one
  if (!semantics) return new ArrayList([...one, ...other])
  const items = [...one]
  const charge = (steps: number) => work.steps(steps)
  const positions = new Map(items.map((item, i) => [semantics.keyOf(item, charge), i]))
  for (const item of other) {
    const key = semantics.keyOf(item, charge)
    const position = positions.get(key)
    if (position === undefined) positions.set(key, items.push(item) - 1)
    else if (semantics.comparesItems) items[position] = item
  }
  return semantics.listOf(items)
}
