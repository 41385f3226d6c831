import { isDeepStrictEqual } from 'node:util'
import type { PodTemplateSpec } from 'orch/sdk/core'

/** Letters and digits without vowels, so that no words appear. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** JSON with the keys of every object in order, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** A short hash; another collision count results in another hash. */
export function shortHash(value: unknown, collisionCount = 0): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(`${canonicalJson(value)}${collisionCount === 0 ? '' : collisionCount}`))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return [...String(hash)].map(digit => alphabet[digit.charCodeAt(0) % alphabet.length]).join('')
}

/** The label that distinguishes the Pods of different templates. */
export const hashLabel = 'pod-template-hash'

/** Whether two templates are equal, apart from the hash label. */
export function isSameTemplate(one: PodTemplateSpec | undefined, other: PodTemplateSpec | undefined): boolean {
  return isDeepStrictEqual(withoutHash(one), withoutHash(other))
}
function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const { [hashLabel]: _, ...labels } = template?.metadata?.labels ?? {}
  return { ...template, metadata: { ...template?.metadata, labels } }
}
