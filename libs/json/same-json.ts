import { recursedLevels } from './levels.js'
import { own } from './own-property.js'

type JsonObject = Record<string, unknown>
type Pair = readonly [left: unknown, right: unknown]

/**
 * Are both equal, however deep they are? The order of keys does not matter, that of list items does; an undefined value counts as
 * missing. Keys of the outermost object may be excluded.
 */
export function sameJson(left: unknown, right: unknown, except?: ReadonlySet<string>): boolean {
  const deeper: Pair[] = []
  if (!same(left, right, except, 0, deeper)) return false
  for (const [one, other] of deeper) if (!same(one, other, undefined, 0, deeper)) return false
  return true
}

function same(
  left: unknown,
  right: unknown,
  except: ReadonlySet<string> | undefined,
  level: number,
  deeper: Pair[],
): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (level > recursedLevels) {
    deeper.push([left, right])
    return true
  }
  if (Array.isArray(left)) return Array.isArray(right) && sameItems(left, right, level, deeper)
  return !Array.isArray(right) && sameFields(left as JsonObject, right as JsonObject, except, level, deeper)
}

function sameItems(left: readonly unknown[], right: readonly unknown[], level: number, deeper: Pair[]): boolean {
  if (left.length !== right.length) return false
  for (let i = 0; i < left.length; i++) if (!same(left[i], right[i], undefined, level + 1, deeper)) return false
  return true
}

function sameFields(
  left: JsonObject,
  right: JsonObject,
  except: ReadonlySet<string> | undefined,
  level: number,
  deeper: Pair[],
): boolean {
  let unmatched = 0
  for (const key of Object.keys(right)) if (right[key] !== undefined && !except?.has(key)) unmatched++
  for (const key of Object.keys(left)) {
    const value = left[key]
    if (value === undefined || except?.has(key)) continue
    const other = own(right, key)
    if (other === undefined || !same(value, other, undefined, level + 1, deeper)) return false
    unmatched--
  }
  return unmatched === 0
}
