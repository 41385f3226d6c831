import type { UserInfo } from 'orch/sdk'
import type { AuthenticationAnswer } from 'orch/sdk/host'
import type {
  AccessDecision,
  AuthenticationSuccess,
  AuthenticatorDefinition,
  AuthorizerDefinition,
  Credentials,
  RulesOfUser,
} from 'orch/sdk/identity'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import type { DescribedAuthenticator, DescribedAuthorizer, SentCredentials } from './plugin-messages.js'
import type { Ask } from './remote-admission.js'
import { textsIn, UnreadableAnswer } from './unreadable-answer.js'

/**
 * An authorization mode whose decisions are made in a plugin process. One that does not answer has no opinion, as a mode that fails has
 * none, and the failure is logged.
 */
export function remoteAuthorizer(described: DescribedAuthorizer, authorizer: number, ask: Ask): AuthorizerDefinition {
  const { mode, standsFor, knowsLoopRoles, hasRules } = described
  return {
    mode,
    ...(standsFor === undefined ? {} : { standsFor }),
    ...(knowsLoopRoles === undefined ? {} : { knowsLoopRoles }),
    async authorize(access) {
      try {
        const decision = await ask('decide', { authorizer, access }, decisionFrom)
        return decision ?? noOpinion
      } catch (thrown) {
        return { ...noOpinion, evaluationError: textOf(thrown) }
      }
    },
    ...(hasRules
      ? {
          async rulesFor(user, namespace) {
            try {
              return (await ask('decide', { authorizer, user, namespace }, rulesFrom)) ?? noRules
            } catch (thrown) {
              return { ...noRules, evaluationError: textOf(thrown) }
            }
          },
        }
      : {}),
  }
}
const noOpinion: AccessDecision = { decision: 'noOpinion' }
const noRules: RulesOfUser = { resourceRules: [], nonResourceRules: [], incomplete: true }
const textOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

function decisionFrom(answer: unknown): AccessDecision {
  const { decision, reason, evaluationError } = isObject(answer) ? answer : {}
  if (decision !== 'allow' && decision !== 'deny' && decision !== 'noOpinion')
    throw new UnreadableAnswer('no decision of an authorizer')
  return { decision, ...textField('reason', reason), ...textField('evaluationError', evaluationError) }
}

function rulesFrom(answer: unknown): RulesOfUser {
  if (!isObject(answer)) throw new UnreadableAnswer('no rules of a user')
  const { resourceRules, nonResourceRules, incomplete, evaluationError } = answer
  return {
    resourceRules: recordsIn(resourceRules).map(ruleFrom(['apiGroups', 'resources', 'resourceNames'])),
    nonResourceRules: recordsIn(nonResourceRules).map(ruleFrom(['nonResourceURLs'])),
    incomplete: incomplete !== false,
    ...textField('evaluationError', evaluationError),
  }
}
const maxRules = 10_000
const recordsIn = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.slice(0, maxRules).filter(isObject) : [])
const ruleFrom =
  (fields: readonly string[]) =>
  (rule: JsonObject): RulesOfUser['resourceRules'][number] & RulesOfUser['nonResourceRules'][number] => ({
    ...Object.fromEntries(fields.filter(name => name in rule).map(name => [name, textsIn(rule[name])])),
    verbs: textsIn(rule['verbs']),
  })

/**
 * An authentication method whose answers come from a plugin process. If that does not answer, the request is 401 unless another method
 * succeeds, as with a token webhook that cannot be reached.
 */
export function remoteAuthenticator(
  described: DescribedAuthenticator,
  authenticator: number,
  ask: Ask,
): AuthenticatorDefinition {
  return {
    ...described,
    async authenticate(credentials) {
      const answer = await ask('authenticate', { authenticator, credentials: sent(credentials) }, answerFrom)
      return answer?.success
    },
  }
}

function sent(credentials: Credentials): SentCredentials {
  const { headers, bearerToken, audiences } = credentials
  return {
    headers,
    values: Object.fromEntries(Object.keys(headers).map(name => [name, credentials.headerValues(name)])),
    path: credentials.path(),
    certificates: credentials.clientCertificates().map(({ raw }) => raw.toString('base64')),
    audiences,
    ...(bearerToken === undefined ? {} : { bearerToken }),
  }
}

function answerFrom(answer: unknown): { success: AuthenticationAnswer } {
  if (answer === undefined || answer === null) return { success: undefined }
  if (!isObject(answer)) throw new UnreadableAnswer('no answer to an authentication')
  const { audiences, expiresAt, auditAnnotations, warnings, cacheable } = answer
  const success: AuthenticationSuccess = {
    user: userFrom(answer['user']),
    ...(audiences === undefined ? {} : { audiences: textsIn(audiences) }),
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    ...(isObject(auditAnnotations) ? { auditAnnotations: textsByName(auditAnnotations) } : {}),
    ...(warnings === undefined ? {} : { warnings: textsIn(warnings) }),
    ...(cacheable === false ? { cacheable } : {}),
  }
  return { success }
}

function userFrom(user: unknown): UserInfo {
  if (!isObject(user) || typeof user['name'] !== 'string' || user['name'] === '')
    throw new UnreadableAnswer('a user without a name')
  const { name, uid, extra } = user
  return {
    name,
    groups: listIn(user['groups']),
    ...textField('uid', uid),
    ...(isObject(extra)
      ? { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, listIn(values)])) }
      : {}),
  }
}
const listIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
const textsByName = (values: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]))
const textField = <K extends string>(name: K, value: unknown) =>
  typeof value === 'string' ? Object.fromEntries([[name, value] as const]) : {}
