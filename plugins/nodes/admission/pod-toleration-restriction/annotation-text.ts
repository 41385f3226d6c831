import type { Toleration } from 'orch/sdk'

const fields: Readonly<Record<string, string>> = {
  key: 'string',
  operator: 'string',
  value: 'string',
  effect: 'string',
  tolerationSeconds: 'number',
}

/** Reads a list of tolerations in JSON; undefined when it is nothing of that kind. No text is an empty list. */
export function parseTolerations(text: string): readonly Toleration[] | undefined {
  if (text === '') return []
  try {
    const list: unknown = JSON.parse(text) ?? []
    return isTolerations(list) ? list : undefined
  } catch {
    return undefined
  }
}

/** Keys that mean nothing are left to later versions, as everywhere. */
export const isTolerations = (value: unknown): value is readonly Toleration[] =>
  Array.isArray(value) &&
  value.every(
    one =>
      typeof one === 'object' &&
      one !== null &&
      Object.entries(one).every(([key, part]) => fields[key] === undefined || typeof part === fields[key]),
  )
