import { orchProfile, Vendor } from '../plugin/vendor.js'
import type { FieldError } from '../resource/field-errors.js'
import type { Strategy, StrategyContext } from '../resource/strategy.js'

/** The steps of a strategy as a test calls them: those that it leaves out do nothing, and the context may be left out. */
export function stepsOf<T>(strategy: Strategy<T>) {
  const none = { vendor: new Vendor(orchProfile) } as StrategyContext
  const found = (errors: FieldError[] | Promise<FieldError[]> | undefined) => (errors ?? []) as FieldError[]
  return {
    prepareForCreate: (draft: T, context = none) => strategy.prepareForCreate?.(draft, context),
    finishCreate: (draft: T, context = none) => strategy.finishCreate?.(draft, context),
    prepareForUpdate: (draft: T, stored: T, context = none) => strategy.prepareForUpdate?.(draft, stored, context),
    validate: (object: T, context = none) => found(strategy.validate?.(object, context)),
    validateUpdate: (object: T, stored = {} as T, context = none) =>
      found(strategy.validateUpdate?.(object, stored, context)),
    warnings: (object: T, stored?: T, context = none) => strategy.warnings?.(object, stored, context) ?? [],
  }
}
