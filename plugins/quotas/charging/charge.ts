import type { ApiObject } from 'orch/sdk'
import { compareQuantities } from 'orch/sdk/validation'
import { type Amounts, excessOf, formatAmounts, noAmounts, pickAmounts, sumAmounts, zero } from '../amounts/amounts.js'
import { type Evaluator, isInScopes } from '../counting/evaluator.js'
import { type StoredQuota, scopesOf } from '../counting/resource-quota.js'
import { type LimitedResource, resourcesToCover, scopesToCover } from './limited-resources.js'

/** A quota while requests are charged to it. */
export interface Account {
  readonly quota: StoredQuota
  readonly name: string
  readonly hard: Amounts
  used: Amounts
  /** `used` already includes the request: the quota still covers it, but is not charged again. */
  readonly isPaid?: boolean
}
/** A request that may increase usage. */
export interface Charge {
  readonly evaluator: Evaluator
  readonly object: ApiObject
  /** The object before an update. */
  readonly stored: ApiObject | undefined
  readonly now: number
}
/** The new usage by account, or why the request is rejected. */
export type Charged = ReadonlyMap<Account, Amounts> | string

/** Checks a request against every quota that applies to it. Changes nothing. */
export function charge(
  { evaluator, object, stored, now }: Charge,
  accounts: readonly Account[],
  limited: readonly LimitedResource[],
): Charged {
  const concerned = accounts.filter(
    ({ quota, hard }) =>
      [...hard.keys()].some(name => evaluator.counts(name)) && isInScopes(evaluator, scopesOf(quota), object),
  )
  for (const { name, hard, used } of concerned) {
    const restricted = [...hard.keys()].filter(resource => evaluator.counts(resource)).sort()
    const unnamed = evaluator.unnamed?.(object, restricted) ?? []
    if (unnamed.length > 0) return `failed quota: ${name}: must specify ${unnamed.join(',')}`
    if (restricted.some(resource => !used.has(resource)))
      return `status unknown for quota: ${name}, resources: ${restricted.join(',')}`
  }
  const usage = evaluator.usageOf(object, now)
  const negative = pickAmounts(usage, (_, amount) => amount.unscaled < 0n)
  if (negative.size > 0) return `quota usage is negative for resource(s): ${[...negative.keys()].sort().join(',')}`
  const full = excessOf(usage, noAmounts)
  const increase = stored ? excessOf(usage, evaluator.usageOf(stored, now)) : full
  // A quota that begins to apply with this update has not been charged for the stored object.
  const dueOf = ({ quota }: Account) => (!stored || isInScopes(evaluator, scopesOf(quota), stored) ? increase : full)
  const due = new Map(concerned.map(account => [account, dueOf(account)]))
  const amounts = due.size === 0 ? [increase] : [...due.values()]
  if (amounts.every(({ size }) => size === 0)) return new Map()
  const why = uncovered(evaluator, object, usage, accounts, concerned, limited)
  if (why !== undefined) return why
  return chargeAll(due)
}

function uncovered(
  evaluator: Evaluator,
  object: ApiObject,
  usage: Amounts,
  accounts: readonly Account[],
  concerned: readonly Account[],
  limited: readonly LimitedResource[],
): string | undefined {
  if (limited.length === 0) return undefined
  const names = resourcesToCover(limited, evaluator, usage)
    .filter(name => !concerned.some(({ hard }) => hard.has(name)))
    .sort()
  if (names.length > 0) return `insufficient quota to consume: ${names.join(',')}`
  const covered = new Set(
    accounts
      .flatMap(({ quota }) => scopesOf(quota))
      .filter(scope => evaluator.isInScope?.(object, scope))
      .map(({ scopeName }) => scopeName),
  )
  const scopes = scopesToCover(limited, evaluator, object).filter(({ scopeName }) => !covered.has(scopeName))
  if (scopes.length === 0) return undefined
  const texts = scopes.map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`)
  return `insufficient quota to match these scopes: [${texts.join(' ')}]`
}

function chargeAll(due: ReadonlyMap<Account, Amounts>): Charged {
  const charged = new Map<Account, Amounts>()
  for (const [account, amounts] of due) {
    const { name, hard, used, isPaid } = account
    if (isPaid) continue
    const requested = pickAmounts(amounts, resource => hard.has(resource))
    if (requested.size === 0) continue
    const total = sumAmounts([used, requested])
    const exceeds = (resource: string) => compareQuantities(total.get(resource) ?? zero, hard.get(resource) ?? zero) > 0
    const exceeded = pickAmounts(requested, exceeds)
    if (exceeded.size > 0) {
      const isExceeded = (resource: string) => exceeded.has(resource)
      return (
        `exceeded quota: ${name}, requested: ${describe(exceeded)}, ` +
        `used: ${describe(pickAmounts(used, isExceeded))}, limited: ${describe(pickAmounts(hard, isExceeded))}`
      )
    }
    charged.set(account, total)
  }
  return charged
}

const describe = (amounts: Amounts) =>
  Object.entries(formatAmounts(amounts))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(',')
