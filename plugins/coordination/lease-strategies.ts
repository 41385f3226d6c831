import { type FieldError, forbiddenField, invalidValue, notSupported } from 'orch/sdk'
import type { Lease } from 'orch/sdk/core'
import { isQualifiedName } from 'orch/sdk/validation'

export const oldestEmulationVersion = 'OldestEmulationVersion'

/** An election strategy: a built-in one, or a custom one, whose name has a domain. */
export function validateElectionStrategy(strategy: string, path: string): FieldError[] {
  if (strategy.includes('/')) return isQualifiedName(strategy).map(text => invalidValue(path, strategy, text))
  return strategy === oldestEmulationVersion ? [] : [notSupported(path, strategy, [oldestEmulationVersion])]
}

/** How the holder of a lease is elected. */
export const validateElection = ({ strategy, preferredHolder }: NonNullable<Lease['spec']>): FieldError[] => [
  // The reference repeats the field name.
  ...(strategy === undefined ? [] : validateElectionStrategy(strategy, 'spec.strategy.strategy')),
  ...(preferredHolder && !strategy
    ? [forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined')]
    : []),
]
