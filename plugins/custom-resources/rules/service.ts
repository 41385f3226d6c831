import { defineService, isRecord } from 'orch/sdk'
import { ExpressionError, type SchemaRules, schemaRules } from 'orch/sdk/expressions'
import { hasRules, type JsonSchema, readSchema } from '../../../libs/json-schema/index.js'
import type { CustomResourceNames } from '../names.js'
import { finish } from '../schemas/turns.js'
import { languageOfStoredRules } from './language.js'

/** The rules of plugins are the same in all versions. */
const languageOfPlugins = languageOfStoredRules({ untypedHidden: false })

/** Checks rules of schemas for other plugins. CEL is loaded with the first schema that has rules. */
export const schemaRulesService = ({ keywords }: CustomResourceNames) =>
  defineService({
    token: schemaRules,
    create: (): SchemaRules => ({
      async rulesOf(schema) {
        const node = readSchema(withOwnKeywords(schema, Object.values(keywords)), keywords)
        if (!hasRules(node)) return undefined
        const [{ compileRunRules }, { validateRules }] = await Promise.all([
          import('./run-rules.js'),
          import('./validate-rules.js'),
        ])
        const [problem] = finish(validateRules(node, 'schema', { keywords, language: languageOfPlugins }))
        if (problem) throw new ExpressionError(`${problem.field}: ${problem.detail}`)
        const run = compileRunRules(node, languageOfPlugins)
        return run && ((object, before) => run.atOnce(object, before))
      },
    }),
  })

/** Translates the keywords of another vendor, whose definitions a plugin may have been generated from. */
function withOwnKeywords(schema: JsonSchema, ours: readonly string[]): JsonSchema {
  const translated = (key: string) => ours.find(each => key.startsWith('x-') && suffixOf(each) === suffixOf(key)) ?? key
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within)
    return isRecord(value) ? withOwnKeywords(value, ours) : value
  }
  const isData = (key: string) => key === 'default' || key === 'enum' || key === 'example'
  // Names of fields are not keywords.
  const fields = (value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, within(each)])) : value
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      translated(key),
      isData(key) ? value : key === 'properties' ? fields(value) : within(value),
    ]),
  )
}
const suffixOf = (keyword: string) => keyword.replace(/^x-[a-z0-9]+-/, '')
