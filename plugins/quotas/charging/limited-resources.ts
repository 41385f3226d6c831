import { type AdmissionConfiguration, type ApiObject, isRecord } from 'orch/sdk'
import type { Amounts } from '../amounts/amounts.js'
import type { Evaluator } from '../counting/evaluator.js'
import type { QuotaNames } from '../names.js'
import type { ScopedResourceSelectorRequirement } from '../resource-quotas/schema.js'

/** A resource that may be used only if a quota covers it. */
export interface LimitedResource {
  readonly apiGroup?: string
  readonly resource: string
  /** Resources whose names contain one of these are limited. */
  readonly matchContains?: readonly string[]
  /** Objects in these scopes are limited. */
  readonly matchScopes?: readonly ScopedResourceSelectorRequirement[]
}

/** Reads the configuration of the admission control. Throws an error that says what is wrong with it. */
export function limitedResources(
  configuration: AdmissionConfiguration,
  { configurations }: QuotaNames,
): readonly LimitedResource[] {
  const given = configuration.of('ResourceQuota')
  if (given === undefined) return []
  if (!isRecord(given)) throw new Error('the configuration of ResourceQuota must be an object')
  const { apiVersion, kind, limitedResources: limited = [], ...others } = given
  if (!configurations.includes(`${apiVersion} ${kind}`))
    throw new Error(`the configuration of ResourceQuota must be of ${configurations[0]}, not ${apiVersion} ${kind}`)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new Error(`the configuration of ResourceQuota has no field "${unknown}"`)
  if (!Array.isArray(limited) || !limited.every(isLimitedResource))
    throw new Error(
      'limitedResources of ResourceQuota must be a list of { apiGroup?, resource, matchContains?, matchScopes? }',
    )
  return limited
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every(one => typeof one === 'string')
const isScope = (value: unknown) =>
  isRecord(value) &&
  typeof value['scopeName'] === 'string' &&
  typeof value['operator'] === 'string' &&
  (value['values'] === undefined || isTexts(value['values']))

function isLimitedResource(value: unknown): value is LimitedResource {
  if (!isRecord(value)) return false
  const { apiGroup = '', resource, matchContains = [], matchScopes = [], ...others } = value
  return (
    typeof apiGroup === 'string' &&
    typeof resource === 'string' &&
    resource !== '' &&
    isTexts(matchContains) &&
    Array.isArray(matchScopes) &&
    matchScopes.every(isScope) &&
    Object.keys(others).length === 0
  )
}

/** Resources that the object uses and that a quota must cover. */
export function resourcesToCover(limited: readonly LimitedResource[], evaluator: Evaluator, usage: Amounts): string[] {
  const ofType = limited.filter(one => (one.apiGroup ?? '') === evaluator.group && one.resource === evaluator.resource)
  const isLimited = (name: string) =>
    ofType.some(({ matchContains = [] }) => matchContains.some(text => name.includes(text)))
  return [...usage].filter(([name, amount]) => amount.unscaled > 0n && isLimited(name)).map(([name]) => name)
}

/** Scopes that the object is in and that a quota must cover. */
export const scopesToCover = (limited: readonly LimitedResource[], evaluator: Evaluator, object: ApiObject) =>
  limited.flatMap(({ matchScopes = [] }) => matchScopes).filter(scope => evaluator.isInScope?.(object, scope) ?? false)
