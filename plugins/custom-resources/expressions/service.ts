import { defineService, isRecord } from 'orch/sdk'
import { ExpressionError, type Expressions, expressions } from 'orch/sdk/expressions'
import type { JsonSchema } from '../definitions/schema.js'
import type { Features } from '../features.js'
import type { CustomResourceNames } from '../names.js'
import { hasRules, readSchema, type SchemaNode } from '../schemas/schema-node.js'
import { finish } from '../schemas/turns.js'
import { languageOfStoredRules } from './language.js'

const defaultMaxCost = 10_000_000
/** Rules of plugins are there in all versions alike. */
const languageOfPlugins = languageOfStoredRules({ untypedHidden: false })

/** Provides CEL to other plugins. The implementation is loaded with the first expression. */
export const expressionService = ({ keywords }: CustomResourceNames, features: Features) =>
  defineService({
    token: expressions,
    create: (): Expressions => {
      const { minorOfNewRules: minor, checksLiterals } = features
      // The specification has no older expressions to be lenient with.
      const ofStored = minor === undefined ? {} : { checksLiterals }
      const ofNew = minor === undefined ? {} : { checksLiterals, minor }
      // Many expressions are about the same variables, whose schemas can be large.
      const nodes = new WeakMap<JsonSchema, SchemaNode>()
      const nodeOf = (schema: JsonSchema): SchemaNode => {
        let node = nodes.get(schema)
        if (!node) nodes.set(schema, (node = readSchema(schema, keywords)))
        return node
      }
      return {
        async compile(text, { variables, maxCost = defaultMaxCost, isNew = false, ...options }) {
          const { compileOver } = await import('./compile-over.js')
          const schemas = Object.entries(variables).map(([name, schema]) => [name, nodeOf(schema)] as const)
          const compiled = compileOver(text, new Map(schemas), options, isNew ? ofNew : ofStored)
          if (compiled.maxCost > maxCost)
            throw new ExpressionError(
              `it can cost ${compiled.maxCost}, and may cost ${maxCost}: bound the sizes of its variables`,
            )
          return compiled
        },
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
      }
    },
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
