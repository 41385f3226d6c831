import { ConfigurationReader } from 'orch/sdk/files'
import { isDns1123Subdomain, repeats } from 'orch/sdk/validation'
import type { AuthorizationMode } from '../options.js'

/** A webhook as the file describes it. */
export interface WebhookConfiguration {
  readonly name: string
  readonly configFile: string
  readonly version: 'v1' | 'v1beta1'
  readonly timeoutMs: number
  /** 0 turns caching off. */
  readonly allowedTtlMs: number
  readonly refusedTtlMs: number
  /** The decision when the webhook or a condition fails. */
  readonly failurePolicy: 'NoOpinion' | 'Deny'
  /** The webhook is called when all of them are true. */
  readonly matchConditions: readonly string[]
}
export type AuthorizerConfiguration =
  | { readonly type: Exclude<AuthorizationMode, 'Webhook'>; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: WebhookConfiguration }

const types = ['Webhook', 'RBAC', 'Node', 'AlwaysAllow', 'AlwaysDeny'] as const
const maxConditions = 64
/** As the reference: a request must not wait longer for one of its authorizers. */
const maxTimeoutMs = 30_000
const webhookFields = [
  'authorizedTTL',
  'cacheAuthorizedRequests',
  'unauthorizedTTL',
  'cacheUnauthorizedRequests',
  'timeout',
  'subjectAccessReviewVersion',
  'matchConditionSubjectAccessReviewVersion',
  'failurePolicy',
  'connectionInfo',
  'matchConditions',
]

/**
 * Reads an AuthorizationConfiguration: authorizers in the order they are consulted. Throws one error that lists all
 * problems.
 */
export function readAuthorizationConfiguration(
  text: string,
  kinds: readonly string[],
): readonly AuthorizerConfiguration[] {
  const reader = new ConfigurationReader()
  const { authorizers } = reader.record(ConfigurationReader.fieldsOf(text, kinds), '', ['authorizers', 'metadata'])
  const read = reader
    .list(authorizers, 'authorizers')
    .map((each, at) => readAuthorizer(reader, each, `authorizers[${at}]`))
  for (const [at, { type, name }] of read.entries()) {
    const before = read.slice(0, at)
    if (before.some(other => other.name === name))
      reader.refuse(`authorizers[${at}].name`, 'is already used by another authorizer')
    if (type !== 'Webhook' && before.some(other => other.type === type))
      reader.refuse(`authorizers[${at}].type`, 'is listed twice: only Webhook may be')
  }
  reader.finish()
  return read
}

function readAuthorizer(reader: ConfigurationReader, value: unknown, place: string): AuthorizerConfiguration {
  const fields = reader.record(value, place, ['type', 'name', 'webhook'])
  const type = reader.choice(fields['type'], `${place}.type`, types)
  const name = reader.text(fields['name'], `${place}.name`)
  if (name !== '' && isDns1123Subdomain(name).length > 0)
    reader.refuse(`${place}.name`, 'must be a DNS subdomain, such as my-webhook')
  if (type === 'Webhook')
    return { type, name, webhook: readWebhook(reader, name, fields['webhook'], `${place}.webhook`) }
  if (fields['webhook'] !== undefined)
    reader.refuse(`${place}.webhook`, `is allowed only with type Webhook, not with ${type}`)
  return { type, name }
}

function readWebhook(reader: ConfigurationReader, name: string, value: unknown, place: string): WebhookConfiguration {
  const fields = reader.record(value, place, webhookFields)
  const versions = ['v1', 'v1beta1'] as const
  const ttl = (time: string, isCached: string, defaultTtl: string): number => {
    const cached = fields[isCached] === undefined || reader.flag(fields[isCached], `${place}.${isCached}`)
    const ms = reader.duration(fields[time] ?? defaultTtl, `${place}.${time}`)
    return cached ? ms : 0
  }
  const conditions = reader.list(fields['matchConditions'], `${place}.matchConditions`, true)
  if (conditions.length > maxConditions) reader.refuse(`${place}.matchConditions`, `must be at most ${maxConditions}`)
  if (conditions.length > 0 || fields['matchConditionSubjectAccessReviewVersion'] !== undefined) {
    const chosen = fields['matchConditionSubjectAccessReviewVersion']
    reader.choice(chosen, `${place}.matchConditionSubjectAccessReviewVersion`, ['v1'])
  }
  const timeoutMs = reader.duration(fields['timeout'], `${place}.timeout`)
  if (timeoutMs > maxTimeoutMs) reader.refuse(`${place}.timeout`, 'must be 30s at most')
  const matchConditions = conditions.map((each, at) => {
    const here = `${place}.matchConditions[${at}]`
    return reader.text(reader.record(each, here, ['expression'])['expression'], `${here}.expression`)
  })
  for (const [at, isRepeat] of repeats(matchConditions).entries())
    if (isRepeat && matchConditions[at] !== '')
      reader.refuse(`${place}.matchConditions[${at}].expression`, 'is a duplicate')
  return {
    name,
    configFile: readConnection(reader, fields['connectionInfo'], `${place}.connectionInfo`),
    version: reader.choice(fields['subjectAccessReviewVersion'], `${place}.subjectAccessReviewVersion`, versions),
    timeoutMs,
    allowedTtlMs: ttl('authorizedTTL', 'cacheAuthorizedRequests', '5m'),
    refusedTtlMs: ttl('unauthorizedTTL', 'cacheUnauthorizedRequests', '30s'),
    failurePolicy: reader.choice(fields['failurePolicy'], `${place}.failurePolicy`, ['NoOpinion', 'Deny']),
    matchConditions,
  }
}

function readConnection(reader: ConfigurationReader, value: unknown, place: string): string {
  const { type, kubeConfigFile } = reader.record(value, place, ['type', 'kubeConfigFile'])
  reader.choice(type, `${place}.type`, ['KubeConfigFile'])
  return reader.text(kubeConfigFile, `${place}.kubeConfigFile`)
}
