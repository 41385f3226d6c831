import type { ApiObject } from 'orch/sdk'
import { valuesAt } from '../../libs/json-path/index.js'

/** Sorts by the value at a path: numbers numerically, everything else as text. */
export function sortBy<T>(items: T[], path: string | undefined, objectOf: (item: T) => ApiObject | undefined): void {
  if (path === undefined) return
  const key = (item: T) => valuesAt(path.replace(/^\{(.*)\}$/s, '$1'), objectOf(item))[0]
  items.sort((left, right) => {
    const [a, b] = [key(left), key(right)]
    if (typeof a === 'number' && typeof b === 'number') return a - b
    const [first, second] = [String(a ?? ''), String(b ?? '')]
    return first === second ? 0 : first < second ? -1 : 1
  })
}
