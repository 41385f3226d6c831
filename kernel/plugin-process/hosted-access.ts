import { X509Certificate } from 'node:crypto'
import { andThen } from 'orch/sdk'
import type { AuthenticationAnswer } from 'orch/sdk/host'
import type { AccessAttributes, AuthenticatorDefinition, AuthorizerDefinition, Credentials } from 'orch/sdk/identity'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import type { SentCredentials } from '../isolation/plugin-messages.js'
import { whenFilled } from '../watch/filled-caches.js'
import type { OwnServices } from './own-services.js'
import { received } from './received.js'

/** Asks an authorizer of this process for a decision, or for the rules of a user. */
export function decide(
  authorizer: AuthorizerDefinition | undefined,
  { access, user, namespace }: JsonObject,
  services: OwnServices | undefined,
): unknown {
  if (!authorizer || !services) throw new Error('there is no such authorizer')
  const resolved = services.resolve(authorizer.needs)
  if (isObject(access)) return whenFilled(() => authorizer.authorize(received<AccessAttributes>(access), resolved))
  const rulesOf = Object.assign({ name: '', groups: [] }, user)
  return whenFilled(() => authorizer.rulesFor?.(rulesOf, String(namespace), resolved))
}

/** Asks an authentication method of this process. */
export function authenticate(
  authenticator: AuthenticatorDefinition | undefined,
  { credentials }: JsonObject,
  services: OwnServices | undefined,
): unknown {
  if (!authenticator || !services) throw new Error('there is no such authenticator')
  const resolved = services.resolve(authenticator.needs)
  const given = credentialsFrom(credentials)
  return andThen(
    whenFilled(() => authenticator.authenticate(given, resolved)),
    sendable,
  )
}

/** The server cannot ask whether a result still holds, so one that could be revoked is not kept. */
function sendable(answer: AuthenticationAnswer): unknown {
  if (!answer?.isStillValid) return answer
  const { isStillValid: _, ...rest } = answer
  return { ...rest, cacheable: false }
}

function credentialsFrom(sent: unknown): Credentials {
  const nothing: SentCredentials = { headers: {}, values: {}, path: '', certificates: [], audiences: [] }
  const { headers, values, path, certificates, audiences, bearerToken }: SentCredentials = Object.assign(nothing, sent)
  return {
    headers,
    bearerToken,
    audiences,
    path: () => path,
    headerValues: name => values[name] ?? [],
    clientCertificates: () => certificates.map(each => new X509Certificate(Buffer.from(each, 'base64'))),
  }
}
