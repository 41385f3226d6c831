import { addAll, duplicate, type FieldError, invalidValue, requiredValue, type ServedLevel, tooMany } from 'orch/sdk'
import { validateAdmissionRule, validateWebhookClientConfig } from 'orch/sdk/admission'
import { checksSelectorValues, oneOf } from 'orch/sdk/core'
import type { RequestCondition } from 'orch/sdk/expressions'
import { isDns1035Label, isDns1123Subdomain, isQualifiedName, validateLabelSelector } from 'orch/sdk/validation'
import type { MutatingWebhook, ValidatingWebhook } from './schema.js'
import { harmlessSideEffects, reviewVersions, sideEffectClasses } from './supported-values.js'

/** A webhook of either kind; only mutating ones are called again. */
export type Webhook = Omit<ValidatingWebhook, 'matchConditions'> &
  Partial<Pick<MutatingWebhook, 'reinvocationPolicy'>> & { matchConditions?: RequestCondition[] | undefined }
export interface WebhookConfiguration {
  webhooks?: Webhook[]
}

/** Rules that the older version does not have. An update may keep violations that the stored object already has. */
interface Strictness {
  readonly noSideEffects: boolean
  readonly uniqueNames: boolean
  readonly knownReviewVersion: boolean
  /** Whether values in selectors must be valid label values. */
  readonly checksValues: boolean
}

export function validateConfiguration(
  { webhooks = [] }: WebhookConfiguration,
  requestVersion: string,
  level: ServedLevel,
): FieldError[] {
  const isStrict = requestVersion !== 'v1beta1'
  return validateWebhooks(webhooks, {
    noSideEffects: isStrict,
    uniqueNames: isStrict,
    knownReviewVersion: true,
    checksValues: checksSelectorValues(level),
  })
}

export function validateConfigurationUpdate(
  { webhooks = [] }: WebhookConfiguration,
  { webhooks: stored = [] }: WebhookConfiguration,
  requestVersion: string,
  level: ServedLevel,
): FieldError[] {
  const isStrict = requestVersion !== 'v1beta1'
  return validateWebhooks(webhooks, {
    noSideEffects: isStrict && stored.every(({ sideEffects }) => harmlessSideEffects.includes(sideEffects)),
    uniqueNames: isStrict && new Set(stored.map(({ name }) => name)).size === stored.length,
    knownReviewVersion: stored.every(({ admissionReviewVersions: versions }) => versions?.some(isKnown)),
    checksValues: checksSelectorValues(
      level,
      ...stored.flatMap(({ namespaceSelector, objectSelector }) => [namespaceSelector, objectSelector]),
    ),
  })
}

const isKnown = (version: string) => reviewVersions.includes(version)

function validateWebhooks(webhooks: readonly Webhook[], strictness: Strictness): FieldError[] {
  const names = new Set<string>()
  return webhooks.flatMap((webhook, i) => {
    const path = `webhooks[${i}]`
    const errors = validateWebhook(webhook, path, strictness)
    if (strictness.uniqueNames && webhook.name && names.has(webhook.name))
      errors.push(duplicate(`${path}.name`, webhook.name))
    names.add(webhook.name)
    return errors
  })
}

function validateWebhook(webhook: Webhook, path: string, strictness: Strictness): FieldError[] {
  const { name, rules = [], sideEffects } = webhook
  const allowedEffects = strictness.noSideEffects ? harmlessSideEffects : sideEffectClasses
  return [
    ...validateName(name, `${path}.name`),
    ...rules.flatMap((rule, i) => validateAdmissionRule(rule, `${path}.rules[${i}]`)),
    ...(sideEffects === undefined || sideEffects === null
      ? [requiredValue(`${path}.sideEffects`, `must specify one of ${allowedEffects.join(', ')}`)]
      : oneOf(sideEffects, `${path}.sideEffects`, allowedEffects)),
    ...validateLabelSelector(webhook.namespaceSelector, `${path}.namespaceSelector`, strictness),
    ...validateLabelSelector(webhook.objectSelector, `${path}.objectSelector`, strictness),
    ...validateWebhookClientConfig(webhook.clientConfig, `${path}.clientConfig`),
    ...validateReviewVersions(webhook.admissionReviewVersions, `${path}.admissionReviewVersions`, strictness),
    ...validateConditions(webhook.matchConditions ?? [], `${path}.matchConditions`),
  ]
}

const maxConditions = 64

function validateConditions(conditions: readonly RequestCondition[], path: string): FieldError[] {
  const seen = new Set<string>()
  const errors = conditions.flatMap(({ name, expression }, i) => {
    const at = `${path}[${i}]`
    const found: FieldError[] = []
    if (!expression?.trim()) found.push(requiredValue(`${at}.expression`))
    if (!name) found.push(requiredValue(`${at}.name`))
    else
      addAll(
        found,
        isQualifiedName(name).map(text => invalidValue(`${at}.name`, name, text)),
      )
    if (name && seen.has(name)) found.push(duplicate(`${at}.name`, name))
    seen.add(name)
    return found
  })
  return conditions.length > maxConditions ? [tooMany(path, conditions.length, maxConditions), ...errors] : errors
}

/** At least three segments, so that names do not collide. */
function validateName(name: string, path: string): FieldError[] {
  if (!name) return [requiredValue(path)]
  const texts = isDns1123Subdomain(name)
  if (texts.length > 0) return [invalidValue(path, name, texts.join(','))]
  if (name.split('.').length >= 3) return []
  return [invalidValue(path, name, 'should be a domain with at least three segments separated by dots')]
}

function validateReviewVersions(
  versions: readonly string[] | null | undefined,
  path: string,
  { knownReviewVersion }: Strictness,
): FieldError[] {
  if (!versions || versions.length === 0)
    return [requiredValue(path, `must specify one of ${reviewVersions.join(', ')}`)]
  const seen = new Set<string>()
  const errors = versions.flatMap((version, i) => {
    const isRepeated = seen.has(version)
    seen.add(version)
    const texts = isRepeated ? ['duplicate version'] : isDns1035Label(version)
    return texts.map(text => invalidValue(`${path}[${i}]`, version, text))
  })
  if (knownReviewVersion && !versions.some(isKnown))
    errors.push(invalidValue(path, versions, `must include at least one of ${reviewVersions.join(', ')}`))
  return errors
}
