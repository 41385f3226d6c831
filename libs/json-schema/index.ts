/** Structural schemas of JSON, parsed as far as they are used, and the formats of strings and numbers. */
export { durationNanoseconds, formatCheck, isKnownFormat, numberProblem } from './formats.js'
export { LazyNodes } from './lazy-nodes.js'
export {
  hasRules,
  itemSchema,
  type JsonSchema,
  objectFields,
  readSchema,
  type SchemaKeywords,
  type SchemaNode,
  type SchemaRule,
  schemasWith,
  valueSchema,
} from './schema-node.js'
