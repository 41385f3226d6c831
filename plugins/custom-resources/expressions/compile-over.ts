import { isCelList, isCelMap, isCelUint } from '@bufbuild/cel'
import type { Expression, ExpressionOptions } from 'orch/sdk'
import type { SchemaNode } from '../schemas/schema-node.js'
import { dyn } from './expression-types.js'
import { Meter } from './meter.js'
import { compileExpression } from './program.js'
import { type Appearance, appearanceOf, openValue } from './schema-types.js'

/** Compiles an expression over variables that have schemas. Throws an ExpressionError. */
export function compileOver(
  text: string,
  variables: ReadonlyMap<string, SchemaNode>,
  result: ExpressionOptions['result'],
): Expression {
  const shown = new Map([...variables].map(([name, schema]) => [name, appearanceOfVariable(schema)]))
  const types = new Map([...shown].map(([name, { type }]) => [name, type]))
  const program = compileExpression(text, types, result)
  const used = [...shown].filter(([name]) => program.uses(name))
  return {
    maxCost: program.maxCost,
    uses: variable => program.uses(variable),
    evaluate(values, budget) {
      const meter = new Meter(budget.left)
      const given = Object.fromEntries(used.map(([name, { toValue }]) => [name, toValue(values[name] ?? null)]))
      const outcome = program.run(given, meter)
      budget.left = Math.max(0, meter.left)
      return 'error' in outcome ? outcome : { value: jsonOf(outcome.value) }
    },
  }
}

const anything: Appearance = { type: dyn, toValue: openValue }
const appearanceOfVariable = (schema: SchemaNode): Appearance =>
  Object.keys(schema.source).length === 0 ? anything : (appearanceOf(schema) ?? anything)

/** What an expression came to, as JSON: whole numbers are those of the language of this program. */
function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (isCelUint(value)) return Number(value.value)
  if (isCelList(value) || Array.isArray(value)) return [...value].map(jsonOf)
  if (isCelMap(value) || value instanceof Map)
    return Object.fromEntries([...value.entries()].map(([key, each]) => [String(key), jsonOf(each)]))
  return value
}
