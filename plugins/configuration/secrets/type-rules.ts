import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import type { Secret } from 'orch/sdk/core'
import type { ConfigurationNames } from '../names.js'

type Rule = (secret: Secret) => FieldError[]

const has = ({ data = {} }: Secret, key: string) => Object.hasOwn(data, key)
const needs =
  (key: string): Rule =>
  secret =>
    has(secret, key) ? [] : [requiredValue(`data[${key}]`)]

/** The key must be there and hold a JSON object. What it holds is never shown. */
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

/** Path under which clients knew two of the rules from the reference implementation, which forgot to fill in the format. */
const quirkyPath = (key: string) => `data[%s][${key}]`
const plainPath = (key: string) => `data[${key}]`

/** A token names its account; the token itself may come later, from a control loop. */
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

/** What each known type of Secret must hold; other types may hold anything. */
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
