import type { UserInfo } from 'orch/sdk'
import type { AuditDecision } from '../contracts/audit-level.js'
import type { RequestContext } from '../contracts/request-context.js'
import type { RequestInfo } from '../contracts/request-info.js'
import { requestedName } from '../contracts/request-info.js'
import { type AuditPolicyFile, type AuditRule, parseAuditPolicy } from './audit-policy-file.js'

/** Returns true for types whose bodies hold secrets. */
export type SensitiveTypes = (group: string, resource: string, subresource: string) => boolean

/** Decides what is recorded of each request: the first matching rule applies; without a match nothing is recorded. */
export class AuditPolicy {
  readonly #file: AuditPolicyFile
  readonly #isSensitive: SensitiveTypes
  readonly #stages = new Map<AuditRule | undefined, ReadonlySet<string>>()

  /** `text` is the policy file; without one everything is recorded at level Metadata. */
  constructor(text: string | undefined, isSensitive: SensitiveTypes) {
    this.#file = text === undefined ? { rules: [{ level: 'Metadata' }] } : parseAuditPolicy(text)
    this.#isSensitive = isSensitive
  }

  /** `user` is undefined for a caller that was not authenticated. */
  decide({ info }: Pick<RequestContext, 'info'>, user: UserInfo | undefined): AuditDecision {
    const rule = this.#file.rules.find(each => isSentBy(each, user) && isAbout(each, info))
    const omitStages = this.#omitStages(rule)
    const omitManagedFields = rule?.omitManagedFields ?? this.#file.omitManagedFields ?? false
    const level = rule?.level ?? 'None'
    const holdsSecrets = this.#isSensitive(info.group, info.resource, info.subresource)
    return { level: holdsSecrets && level !== 'None' ? 'Metadata' : level, omitStages, omitManagedFields }
  }

  /** Creates one set per rule instead of one per request. */
  #omitStages(rule: AuditRule | undefined): ReadonlySet<string> {
    let stages = this.#stages.get(rule)
    if (stages === undefined)
      this.#stages.set(rule, (stages = new Set([...(this.#file.omitStages ?? []), ...(rule?.omitStages ?? [])])))
    return stages
  }
}

const isIn = (list: readonly string[] | undefined, value: string) => !list?.length || list.includes(value)

function isSentBy({ users, userGroups }: AuditRule, user: UserInfo | undefined): boolean {
  if (!user) return !users?.length && !userGroups?.length
  return isIn(users, user.name) && (!userGroups?.length || userGroups.some(group => user.groups.includes(group)))
}

function isAbout(rule: AuditRule, info: RequestInfo): boolean {
  if (!isIn(rule.verbs, info.verb)) return false
  if (!info.isResource) {
    if (rule.resources?.length || rule.namespaces?.length) return false
    return !rule.nonResourceURLs?.length || rule.nonResourceURLs.some(url => isPathMatch(url, info.path))
  }
  if (rule.nonResourceURLs?.length) return false
  if (!isIn(rule.namespaces, info.accessNamespace)) return false
  return !rule.resources?.length || rule.resources.some(each => isResourceMatch(each, info))
}

const isPathMatch = (pattern: string, path: string) =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

function isResourceMatch(
  { group = '', resources, resourceNames }: NonNullable<AuditRule['resources']>[number],
  info: RequestInfo,
): boolean {
  if (group !== info.group) return false
  if (resourceNames?.length && !resourceNames.includes(requestedName(info))) return false
  const whole = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`
  return (
    !resources?.length ||
    resources.some(
      each =>
        each === '*' ||
        each === whole ||
        (each === `*/${info.subresource}` && info.subresource !== '') ||
        (each.endsWith('/*') && each.slice(0, -2) === info.resource),
    )
  )
}
