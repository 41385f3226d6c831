import { badRequest, type ServedLevel } from 'orch/sdk'
import type { InTurns } from '../contracts/in-turns.js'
import type { RequestContext } from '../contracts/request-context.js'
import type { BodyLimits, TextBody } from '../representation/decode-body.js'
import { duplicateKeys, duplicateKeysInTurns } from '../schema/duplicate-keys.js'
import { mergeRepeatedKeys } from '../schema/merge-repeated-keys.js'
import type { StructNode } from '../schema/type-model.js'
import { type WriteRequestOptions, warnsAboutUnknownFields } from './request-options.js'

export type FieldValidation = WriteRequestOptions['fieldValidation']

/** How many findings of a kind are listed; one bad body must not become a hundred headers. */
export const maxReported = 20

/** Reports the findings of field validation: Strict rejects the request, Warn adds warnings. */
export function reportFindings(
  context: RequestContext,
  fieldValidation: FieldValidation,
  findings: readonly string[],
): void {
  if (fieldValidation === 'Ignore' || findings.length === 0) return
  if (fieldValidation === 'Strict') throw badRequest(`strict decoding error: ${findings.join(', ')}`)
  for (const finding of findings) context.warn(finding)
}

/** Limits of a body. Duplicate keys are not searched for where fields are not validated. */
export const bodyLimits = (context: RequestContext, fieldValidation: FieldValidation): BodyLimits => ({
  maxRepeatedKeys: fieldValidation === 'Ignore' ? 0 : maxReported,
  maxItems: context.maxObjectItems,
  request: context,
})

/**
 * The value of a body whose repeated structs and maps are merged, and the paths of its duplicate keys. They are searched for only if they
 * are reported, or if the version warns about unknown fields anyway.
 */
export function* mergedBody(
  parsed: TextBody,
  fieldValidation: FieldValidation,
  level: ServedLevel,
  model: () => StructNode | undefined,
): InTurns<{ readonly value: unknown; readonly repeated: readonly string[] }> {
  const isSearched = !parsed.repeatedKeys && (fieldValidation !== 'Ignore' || level.has(warnsAboutUnknownFields))
  const repeated = isSearched ? yield* duplicateKeysInTurns(parsed.text, maxReported) : []
  const merged = repeated.length > 0 ? model() : undefined
  return { value: merged ? mergeRepeatedKeys(parsed.text, merged) : parsed.value, repeated }
}

/** Duplicate keys of a body; unknown fields of JSON are reported once, as unknown. */
export function repeatedFields(
  { text, repeatedKeys }: TextBody,
  fieldValidation: FieldValidation,
  unknown: readonly string[] = [],
  paths = repeatedKeys ? [] : repeatedPaths(text, fieldValidation),
): readonly string[] {
  if (repeatedKeys) return repeatedKeys.map(({ key, line }) => `line ${line}: key "${key}" already set in map`)
  const isUnknown = (path: string) => unknown.some(each => path === each || path.startsWith(`${each}.`))
  return paths.filter(path => !isUnknown(path)).map(repeatedField)
}

/** Paths of duplicate fields of a JSON text; none if they are not reported. */
export const repeatedPaths = (text: string, fieldValidation: FieldValidation): readonly string[] =>
  fieldValidation === 'Ignore' ? [] : duplicateKeys(text, maxReported)

export const repeatedField = (path: string): string => `duplicate field ${inQuotes(path)}`
export const unknownField = (path: string): string => `unknown field ${inQuotes(path)}`

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}
/** As Go quotes a text: a warning with a control character would not fit into a header. */
function inQuotes(path: string): string {
  const escaped = (char: string) => {
    const code = char.charCodeAt(0).toString(16)
    return escapes[char] ?? (char < '\x80' ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`)
  }
  return `"${path.replace(/["\\\x00-\x1f\x7f-\x9f]/g, escaped)}"`
}

const operationFields = new Set('op path from value'.split(' '))

/** Unknown and duplicate fields of a JSON patch: operations have four fields. */
export function unexpectedFields(text: string, patch: unknown, fieldValidation: FieldValidation): readonly string[] {
  if (fieldValidation === 'Ignore' || !Array.isArray(patch)) return []
  const unknown: string[] = []
  patch.forEach((operation: unknown, index) => {
    if (typeof operation !== 'object' || operation === null) return
    for (const key of Object.keys(operation)) {
      if (operationFields.has(key) || unknown.length >= maxReported) continue
      unknown.push(unknownField(`[${index}].${key}`))
    }
  })
  const repeated = repeatedPaths(text, fieldValidation).map(repeatedField)
  return [...unknown, ...repeated].map(finding => `json patch ${finding}`)
}
