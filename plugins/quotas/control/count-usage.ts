import { type ApiObject, addQuantities, parseQuantity, type QuantityAmount } from 'orch/sdk'
import { type Amounts, zero } from '../amounts/amounts.js'
import { type Evaluator, isInScopes } from '../counting/evaluator.js'
import { type ResourceQuota, scopesOf } from '../counting/resource-quota.js'

/** Usage of objects that have not changed since they were last counted. */
export class KnownUsage {
  readonly #known = new WeakMap<ApiObject, Amounts>()
  of(evaluator: Evaluator, object: ApiObject, now: number): Amounts {
    const known = this.#known.get(object)
    if (known) return known
    const usage = evaluator.usageOf(object, now)
    // What a deleted object uses depends on the time, too.
    if (!object.metadata.deletionTimestamp) this.#known.set(object, usage)
    return usage
  }
}

/** How much of the resources of a quota these objects use, which are all of one type in its namespace. */
export function countUsage(
  quota: ResourceQuota,
  evaluator: Evaluator,
  objects: readonly ApiObject[],
  known: KnownUsage,
  now: number,
): Amounts {
  const names = Object.keys(quota.spec?.hard ?? {}).filter(name => evaluator.counts(name))
  const scopes = scopesOf(quota)
  const counted = scopes.length === 0 ? objects : objects.filter(object => isInScopes(evaluator, scopes, object))
  if (evaluator.isUniform) return new Map(names.map(name => [name, parseQuantity(counted.length)]))
  const totals = new Map<string, QuantityAmount>(names.map(name => [name, zero]))
  for (const object of counted) {
    const usage = known.of(evaluator, object, now)
    for (const name of names) {
      const amount = usage.get(name)
      if (amount) totals.set(name, addQuantities(totals.get(name) ?? zero, amount))
    }
  }
  return totals
}
