import { setOwn } from './own-property.js'

/** A copy of a JSON value that shares nothing with it. Six times as fast as structuredClone, which handles much more (test/bench/structure-cost.ts). */
export function copyJson<T>(value: T): T {
  return copyValue(value) as T
}

function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyValue)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const part = copyValue((value as Record<string, unknown>)[key])
    if (key === '__proto__') setOwn(copy, key, part)
    else copy[key] = part
  }
  return copy
}
