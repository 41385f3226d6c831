import type { ApiObject, CacheChange } from 'orch/sdk'
import { addQuantities, parseQuantity, type QuantityAmount } from 'orch/sdk/validation'
import { type Amounts, excessOf, noAmounts, pickAmounts, zero } from '../amounts/amounts.js'
import { type Evaluator, isInScopes } from '../counting/evaluator.js'
import { type StoredQuota, scopesOf } from '../counting/resource-quota.js'

/** Counts the usage of objects for quotas. The usage of objects that have not changed is cached. */
export class UsageCounter {
  readonly #cached = new WeakMap<ApiObject, Amounts>()
  readonly #now: () => number
  constructor(now: () => number) {
    this.#now = now
  }

  /** How much of the resources of a quota these objects use. All are of one type, and in the namespace of the quota. */
  count(quota: StoredQuota, evaluator: Evaluator, objects: readonly ApiObject[]): Amounts {
    const hard = quota.spec?.hard ?? {}
    // Starts from the evaluator where possible: a quota may name thousands of types, each with its own evaluator.
    const names =
      evaluator.uniform?.filter(name => Object.hasOwn(hard, name)) ??
      Object.keys(hard).filter(name => evaluator.counts(name))
    const scopes = scopesOf(quota)
    const counted = scopes.length === 0 ? objects : objects.filter(object => isInScopes(evaluator, scopes, object))
    if (evaluator.uniform) return new Map(names.map(name => [name, parseQuantity(counted.length)]))
    const totals = new Map<string, QuantityAmount>(names.map(name => [name, zero]))
    for (const object of counted) {
      const usage = this.#usageOf(evaluator, object)
      for (const name of names) {
        const amount = usage.get(name)
        if (amount) totals.set(name, addQuantities(totals.get(name) ?? zero, amount))
      }
    }
    return totals
  }

  /** The usage that a change releases, of the resources of a quota. */
  released(quota: StoredQuota, evaluator: Evaluator, { type, object, previous }: CacheChange): Amounts {
    if (previous === undefined) return noAmounts
    const hard = quota.spec?.hard ?? {}
    const scopes = scopesOf(quota)
    const usage = (one: ApiObject) => (isInScopes(evaluator, scopes, one) ? this.#usageOf(evaluator, one) : noAmounts)
    const freed = excessOf(usage(previous), type === 'deleted' ? noAmounts : usage(object))
    return pickAmounts(freed, name => name in hard)
  }

  #usageOf(evaluator: Evaluator, object: ApiObject): Amounts {
    const known = this.#cached.get(object)
    if (known) return known
    const usage = evaluator.usageOf(object, this.#now())
    // The usage of an object that is being deleted also depends on the time.
    if (!object.metadata.deletionTimestamp) this.#cached.set(object, usage)
    return usage
  }
}
