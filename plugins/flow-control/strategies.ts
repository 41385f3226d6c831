import {
  duplicate,
  type FieldError,
  type ObjectMeta,
  requiredValue,
  type StrategyContext,
  strategyForSpec,
  strategyForStatus,
} from 'orch/sdk'
import type { Condition } from './condition-schema.js'

interface Configuration {
  metadata?: ObjectMeta
  spec?: unknown
  status?: { conditions?: Condition[] }
}

/** The strategies for spec and status, the same for both types. */
export const strategiesOf = <T extends Configuration>(
  validate: (object: T, context: StrategyContext, stored?: T) => FieldError[],
) => ({
  main: strategyForSpec<T>({
    newStatus: () => ({}),
    validate: (object, context) => validate(object, context),
    validateUpdate: (object, stored, context) => validate(object, context, stored),
    metadataChecks: { change: 0, object: 1 },
  }),
  status: strategyForStatus<T>({
    prepareForUpdate({ metadata }, stored) {
      if (metadata) metadata.uid = stored.metadata?.uid
      delete metadata?.deletionGracePeriodSeconds
    },
    resetFields: ['metadata'],
    validateUpdate: ({ status }) => validateConditions(status?.conditions ?? []),
  }),
})

function validateConditions(conditions: readonly Condition[]): FieldError[] {
  const seen = new Set<string>()
  return conditions.flatMap(({ type = '' }, index) => {
    const at = `status.conditions[${index}].type`
    if (type === '') return [requiredValue(at)]
    if (seen.has(type)) return [duplicate(at, type)]
    seen.add(type)
    return []
  })
}
