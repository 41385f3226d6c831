import type { UserInfo } from 'orch/sdk'
import type { LimitedRequest } from 'orch/sdk/server'
import type { FlowSchema, NonResourceRule, ResourceRule, Rule, Subject } from '../flow-schemas/schema.js'

type RequestInfo = LimitedRequest['info']
const all = '*'
const has = (list: readonly string[] | null | undefined, value: string) =>
  list?.some(item => item === all || item === value) ?? false

/** Whether a request belongs to a schema. */
export const matchesSchema = ({ spec }: FlowSchema, user: UserInfo, info: RequestInfo): boolean =>
  (spec?.rules ?? []).some(rule => matchesRule(rule, user, info))

const matchesRule = (
  { subjects, resourceRules = [], nonResourceRules = [] }: Rule,
  user: UserInfo,
  info: RequestInfo,
) =>
  (info.isResource
    ? resourceRules.some(rule => matchesResource(rule, info))
    : nonResourceRules.some(rule => matchesPath(rule, info))) && subjects.some(subject => matchesSubject(subject, user))

function matchesSubject({ user, group, serviceAccount }: Subject, { name, groups }: UserInfo): boolean {
  if (user) return user.name === all || user.name === name
  if (group) return group.name === all || groups.includes(group.name)
  if (!serviceAccount) return false
  const inNamespace = `system:serviceaccount:${serviceAccount.namespace}:`
  return serviceAccount.name === all ? name.startsWith(inNamespace) : name === inNamespace + serviceAccount.name
}

function matchesResource(rule: ResourceRule, info: RequestInfo): boolean {
  const { verb, group, resource, subresource, accessNamespace } = info
  return (
    has(rule.verbs, verb) &&
    has(rule.apiGroups, group) &&
    has(rule.resources, subresource === '' ? resource : `${resource}/${subresource}`) &&
    (accessNamespace === '' ? rule.clusterScope === true : has(rule.namespaces, accessNamespace))
  )
}

const matchesPath = ({ verbs, nonResourceURLs }: NonResourceRule, { verb, path }: RequestInfo) =>
  has(verbs, verb) &&
  nonResourceURLs.some(
    allowed => allowed === all || allowed === path || (allowed.endsWith('/*') && path.startsWith(allowed.slice(0, -1))),
  )

/** The distinguisher of the flows of a schema. */
export function distinguisherOf({ spec }: FlowSchema, user: UserInfo, info: RequestInfo): string {
  const method = spec?.distinguisherMethod?.type
  return method === 'ByUser' ? user.name : method === 'ByNamespace' ? info.accessNamespace : ''
}

/** In matching order. */
export const inOrder = (schemas: readonly FlowSchema[]): FlowSchema[] =>
  [...schemas].sort((one, other) => {
    const difference = (one.spec?.matchingPrecedence ?? 0) - (other.spec?.matchingPrecedence ?? 0)
    if (difference !== 0) return difference
    return (one.metadata?.name ?? '') < (other.metadata?.name ?? '') ? -1 : 1
  })
