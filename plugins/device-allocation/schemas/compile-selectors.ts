import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import { ExpressionError, type Expressions } from 'orch/sdk/expressions'
import { attributeValueMaxBytes, expressionMaxCost, limits } from '../limits.js'
import type { PlacedSelector } from './claim-spec-rules.js'

const byDomain = (value: Readonly<Record<string, unknown>>) => {
  const maxProperties = limits.attributesAndCapacities
  const byName = { type: 'object', maxProperties, additionalProperties: value }
  return { type: 'object', maxProperties, additionalProperties: byName }
}
/** What expressions know about a device. An attribute can be of any type, so nothing is known about it but its size. */
const deviceSchema = (isShared: boolean) => ({
  type: 'object',
  properties: {
    driver: { type: 'string', maxLength: 63 },
    attributes: byDomain({ maxLength: attributeValueMaxBytes }),
    capacity: byDomain({ type: 'quantity' }),
    ...(isShared ? { allowMultipleAllocations: { type: 'boolean' } } : {}),
  },
})
const schemas = { shared: deviceSchema(true), alone: deviceSchema(false) }

/** A claim may have thousands of expressions: after this time other work gets its turn. */
const longestTurnMs = 5

/** What is wrong with the expressions of selectors. Stored ones may use everything, new ones only what the version before has, too. */
export async function compileSelectors(
  selectors: readonly PlacedSelector[],
  language: Expressions,
  { canShareDevices }: { readonly canShareDevices: boolean },
  { areNew }: { readonly areNew: boolean } = { areNew: true },
): Promise<FieldError[]> {
  const variables = { device: canShareDevices ? schemas.shared : schemas.alone }
  const errors: FieldError[] = []
  let turnBegan = performance.now()
  for (const { expression, field } of selectors) {
    if (performance.now() - turnBegan > longestTurnMs) {
      await nextTurn()
      turnBegan = performance.now()
    }
    try {
      const { maxCost } = await language.compile(expression, {
        variables,
        result: 'bool',
        hasBindings: true,
        isNew: areNew,
        maxCost: Number.POSITIVE_INFINITY,
      })
      if (maxCost > expressionMaxCost) errors.push(forbiddenField(field, 'too complex, exceeds cost limit'))
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      errors.push(invalidValue(field, expression, `compilation failed: ${error.message}`))
    }
  }
  return errors
}
