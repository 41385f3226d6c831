import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import type { Secret } from 'orch/sdk/core'
import type { ConfigurationNames } from '../names.js'

type Rule = (secret: Secret) => FieldError[]

const has = ({ data = {} }: Secret, key: string) => Object.hasOwn(data, key)
const needs =
  (key: string): Rule =>
  secret =>
    has(secret, key) ? [] : [requiredValue(`data[${key}]`)]

/** The key must exist and contain a JSON object, which is never shown. */
const needsJson =
  (key: string): Rule =>
  secret => {
    if (!has(secret, key)) return needs(key)(secret)
    const text = Buffer.from(secret.data?.[key] ?? '', 'base64').toString()
    return isJsonObject(text)
      ? []
      : [invalidValue(`data[${key}]`, '<secret contents redacted>', 'must be a JSON object')]
  }
function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value)
  } catch {
    return false
  }
}

/** The path that older versions of the reference report for two of the rules, with an unresolved format verb. */
const quirkyPath = (key: string) => `data[%s][${key}]`
const plainPath = (key: string) => `data[${key}]`

/** A token names its account; a control loop may add the token itself later. */
const needsAnnotation =
  (key: string): Rule =>
  ({ metadata }) =>
    metadata?.annotations?.[key] ? [] : [requiredValue(`metadata.annotations[${key}]`)]
const needsUserOrPassword =
  (path: (key: string) => string): Rule =>
  secret =>
    has(secret, 'username') || has(secret, 'password')
      ? []
      : [requiredValue(path('username')), requiredValue(path('password'))]
const needsPrivateKey =
  (path: (key: string) => string): Rule =>
  ({ data = {} }) =>
    data['ssh-privatekey'] ? [] : [requiredValue(path('ssh-privatekey'))]

/** The rules for known types of Secrets; other types may contain anything. */
export type TypeRules = ReadonlyMap<string, Rule>
export function typeRules(names: ConfigurationNames): TypeRules {
  const path = names.namesMissingKeys ? plainPath : quirkyPath
  return new Map<string, Rule>([
    [names.serviceAccountToken, needsAnnotation(names.serviceAccountName)],
    [names.dockerConfig, needsJson('.dockercfg')],
    [names.dockerConfigJson, needsJson('.dockerconfigjson')],
    [names.basicAuth, needsUserOrPassword(path)],
    [names.sshAuth, needsPrivateKey(path)],
    [names.tls, secret => [...needs('tls.crt')(secret), ...needs('tls.key')(secret)]],
  ])
}
