import { type FieldError, invalidValue } from '../../field-errors.js'
import type { Toleration } from '../taints.js'
import { validateTolerations } from '../validation/toleration-rules.js'

const texts = ['key', 'operator', 'value', 'effect'] as const

/** Tolerations as JSON; undefined when the text is something else. */
function readTolerations(text: string): Toleration[] | undefined {
  try {
    const list: unknown = JSON.parse(text) ?? []
    return Array.isArray(list) && list.every(isToleration) ? list.map(item => withoutNulls(item ?? {})) : undefined
  } catch {
    return undefined
  }
}

const withoutNulls = (item: object): Toleration =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))

function isToleration(item: unknown): item is object | null {
  if (item === null) return true
  if (typeof item !== 'object' || Array.isArray(item)) return false
  const given = item as Record<string, unknown>
  const seconds = given['tolerationSeconds'] ?? 0
  return texts.every(name => typeof (given[name] ?? '') === 'string') && Number.isSafeInteger(seconds)
}

/** Tolerations were an annotation before they were a field, and still have to make sense there. */
export function validateTolerationsAnnotation(text: string, key: string, field: string): FieldError[] {
  if (text === '') return []
  const tolerations = readTolerations(text)
  return tolerations === undefined
    ? [invalidValue(field, key, 'must be a list of tolerations as JSON')]
    : validateTolerations(tolerations, `${field}.${key}`)
}
