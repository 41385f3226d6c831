import { own } from './own-property.js'

type JsonObject = Record<string, unknown>

/**
 * Do both say the same? The order of keys does not matter, that of list items does; a key without a value is no key.
 * Keys of the outermost object may be left out of it.
 */
export function sameJson(left: unknown, right: unknown, except?: ReadonlySet<string>): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left)) return Array.isArray(right) && sameItems(left, right)
  return !Array.isArray(right) && sameFields(left as JsonObject, right as JsonObject, except)
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false
  for (let i = 0; i < left.length; i++) if (!sameJson(left[i], right[i])) return false
  return true
}

function sameFields(left: JsonObject, right: JsonObject, except: ReadonlySet<string> | undefined): boolean {
  let unmatched = 0
  for (const key of Object.keys(right)) if (right[key] !== undefined && !except?.has(key)) unmatched++
  for (const key of Object.keys(left)) {
    const value = left[key]
    if (value === undefined || except?.has(key)) continue
    const other = own(right, key)
    if (other === undefined || !sameJson(value, other)) return false
    unmatched--
  }
  return unmatched === 0
}
