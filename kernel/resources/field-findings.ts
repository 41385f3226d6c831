import { badRequest } from 'orch/sdk'
import { Composer, isScalar, LineCounter, Parser, visit } from 'yaml'
import { yamlDialect } from '../http/parse-yaml.js'
import type { RequestContext } from '../request/request-context.js'
import { duplicateKeys } from '../schema/duplicate-keys.js'
import type { WriteRequestOptions } from './request-options.js'

export type FieldValidation = WriteRequestOptions['fieldValidation']

/** How many findings of a kind are spelled out; one bad body must not become a hundred headers. */
export const maxReported = 20

/** Tells what field validation found in a body: Strict refuses it, Warn warns of it. */
export function reportFindings(
  context: RequestContext,
  fieldValidation: FieldValidation,
  findings: readonly string[],
): void {
  if (fieldValidation === 'Ignore' || findings.length === 0) return
  if (fieldValidation === 'Strict') throw badRequest(`strict decoding error: ${findings.join(', ')}`)
  for (const finding of findings) context.warn(finding)
}

/** What a body states twice; what is unknown in JSON may be stated as often as one likes, and counts once, as unknown. */
export function repeatedFields(
  format: 'json' | 'yaml',
  text: string,
  fieldValidation: FieldValidation,
  unknown: readonly string[],
): readonly string[] {
  if (format === 'yaml') return repeatedYamlKeys(text, fieldValidation)
  const isUnknown = (path: string) => unknown.some(each => path === each || path.startsWith(`${each}.`))
  return repeatedPaths(text, fieldValidation)
    .filter(path => !isUnknown(path))
    .map(repeatedField)
}

/** Paths of the fields that a JSON text states twice; nothing when nobody wants to know. */
export const repeatedPaths = (text: string, fieldValidation: FieldValidation): readonly string[] =>
  fieldValidation === 'Ignore' ? [] : duplicateKeys(text, maxReported)

export const repeatedField = (path: string): string => `duplicate field "${path}"`

const operationFields = new Set('op path from value'.split(' '))

/** What a JSON patch says about itself that means nothing: operations have four fields, each of them once. */
export function oddOperations(text: string, patch: unknown, fieldValidation: FieldValidation): readonly string[] {
  if (fieldValidation === 'Ignore' || !Array.isArray(patch)) return []
  const unknown: string[] = []
  patch.forEach((operation: unknown, index) => {
    if (typeof operation !== 'object' || operation === null) return
    for (const key of Object.keys(operation)) {
      if (operationFields.has(key) || unknown.length >= maxReported) continue
      unknown.push(`unknown field "[${index}].${key}"`)
    }
  })
  const repeated = repeatedPaths(text, fieldValidation).map(repeatedField)
  return [...unknown, ...repeated].map(finding => `json patch ${finding}`)
}

/** What a YAML text states twice. The text must have been read before: then it is known to be no deeper than can be walked. */
export function repeatedYamlKeys(text: string, fieldValidation: FieldValidation): readonly string[] {
  if (fieldValidation === 'Ignore') return []
  if (isJson(text)) return repeatedPaths(text, fieldValidation).map(repeatedField)
  const lines = new LineCounter()
  const tokens = new Parser(lines.addNewLine).parse(text)
  const findings: string[] = []
  for (const document of new Composer(yamlDialect).compose(tokens)) {
    visit(document, {
      Map(_, { items }) {
        const seen = new Set<unknown>()
        for (const { key } of items) {
          if (!isScalar(key)) continue
          if (seen.has(key.value) && findings.length < maxReported) {
            findings.push(
              `line ${lines.linePos(key.range?.[0] ?? 0).line}: key "${String(key.value)}" already set in map`,
            )
          }
          seen.add(key.value)
        }
        return findings.length < maxReported ? undefined : visit.BREAK
      },
    })
  }
  return findings
}

/** Most YAML that clients send is JSON. */
function isJson(text: string): boolean {
  if (!text.startsWith('{')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
