import { defineService, type Vendor } from 'orch/sdk'
import { ExpressionError, type Expressions, expressions, languageVersionOf } from 'orch/sdk/expressions'
import { type JsonSchema, readSchema, type SchemaKeywords, type SchemaNode } from '../../libs/json-schema/index.js'

const defaultMaxCost = 10_000_000

/** Provides CEL to other plugins. The implementation is loaded with the first expression. */
export const expressionService = (vendor: Vendor) =>
  defineService({
    token: expressions,
    create: (): Expressions => {
      const keywords = schemaKeywords(vendor)
      const { minorOfNew: minor, checksLiterals } = languageVersionOf(vendor.level)
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
              `its estimated cost is ${compiled.maxCost}, the limit is ${maxCost}: bound the sizes of its variables`,
            )
          return compiled
        },
      }
    },
  })

/** The extension keywords in schemas of variables. */
export const schemaKeywords = (vendor: Vendor): SchemaKeywords => ({
  preserveUnknownFields: vendor.extension('preserve-unknown-fields'),
  embeddedResource: vendor.extension('embedded-resource'),
  intOrString: vendor.extension('int-or-string'),
  listMapKeys: vendor.extension('list-map-keys'),
  listType: vendor.extension('list-type'),
  mapType: vendor.extension('map-type'),
  validations: vendor.extension('validations'),
})
