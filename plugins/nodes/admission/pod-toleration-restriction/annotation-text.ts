import { ownValue } from 'orch/sdk'
import type { Toleration } from 'orch/sdk/core'

type Test = (value: unknown) => boolean
const isText: Test = value => typeof value === 'string'
const fields: Readonly<Record<string, Test>> = {
  key: isText,
  operator: isText,
  value: isText,
  effect: isText,
  tolerationSeconds: Number.isInteger,
}

/** Reads a list of tolerations in JSON; undefined when it is nothing of that kind. No text is an empty list. */
export function parseTolerations(text: string): readonly Toleration[] | undefined {
  if (text === '') return []
  try {
    const list: unknown = JSON.parse(text) ?? []
    return isTolerations(list) ? list.map(withoutNulls) : undefined
  } catch {
    return undefined
  }
}

/** What is null is not said. */
const withoutNulls = (toleration: Toleration): Toleration =>
  Object.fromEntries(Object.entries(toleration).filter(([key, value]) => value !== null && Object.hasOwn(fields, key)))

/** Keys that mean nothing are left to later versions, as everywhere. */
const isTolerations = (value: unknown): value is readonly Toleration[] =>
  Array.isArray(value) &&
  value.every(
    one =>
      typeof one === 'object' &&
      one !== null &&
      Object.entries(one).every(([key, part]) => part === null || (ownValue(fields, key)?.(part) ?? true)),
  )
