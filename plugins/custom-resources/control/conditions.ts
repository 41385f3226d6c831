import type { DefinitionCondition } from '../definitions/schema.js'

export const conditionOf = (conditions: readonly DefinitionCondition[] | null | undefined, type: string) =>
  conditions?.find(condition => condition.type === type)

export const isTrue = (conditions: readonly DefinitionCondition[] | null | undefined, type: string): boolean =>
  conditionOf(conditions, type)?.status === 'True'
