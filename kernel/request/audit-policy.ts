import { Ajv } from 'ajv'
import { type Static, Type } from 'orch/sdk'
import { parse } from 'yaml'
import type { AuditLevel } from './audit-level.js'
import type { RequestContext } from './request-context.js'

const Texts = Type.Optional(Type.Array(Type.String()))
const Level = Type.Union([
  Type.Literal('None'),
  Type.Literal('Metadata'),
  Type.Literal('Request'),
  Type.Literal('RequestResponse'),
])
const Rule = Type.Object({
  level: Level,
  users: Texts,
  userGroups: Texts,
  verbs: Texts,
  namespaces: Texts,
  resources: Type.Optional(
    Type.Array(Type.Object({ group: Type.Optional(Type.String()), resources: Texts, resourceNames: Texts })),
  ),
  nonResourceURLs: Texts,
  omitStages: Texts,
})
const Policy = Type.Object({
  apiVersion: Type.Optional(Type.String()),
  kind: Type.Optional(Type.Literal('Policy')),
  metadata: Type.Optional(Type.Unknown()),
  omitStages: Texts,
  rules: Type.Array(Rule, { minItems: 1 }),
})
type Rule = Static<typeof Rule>

export interface AuditDecision {
  readonly level: AuditLevel
  readonly omitStages: ReadonlySet<string>
}

/** Which bodies hold secrets. */
export type SensitiveTypes = (group: string, resource: string, subresource: string) => boolean

/** Requests of these verbs have no body to record. */
const bodilessVerbs = new Set(['get', 'list', 'watch'])

/** What is recorded of which request: the first rule that fits decides, none means nothing. */
export class AuditPolicy {
  readonly #rules: readonly Rule[]
  readonly #omitStages: readonly string[]
  readonly #isSensitive: SensitiveTypes

  /** `text` is the policy file; without one everything is recorded at level Metadata. */
  constructor(text: string | undefined, isSensitive: SensitiveTypes) {
    const policy = text === undefined ? { rules: [{ level: 'Metadata' as const }] } : parsePolicy(text)
    this.#rules = policy.rules
    this.#omitStages = ('omitStages' in policy ? policy.omitStages : undefined) ?? []
    this.#isSensitive = isSensitive
  }

  decide(context: RequestContext): AuditDecision {
    const rule = this.#rules.find(each => isFitting(each, context))
    const omitStages = new Set([...this.#omitStages, ...(rule?.omitStages ?? [])])
    const level = rule?.level ?? 'None'
    const { info } = context
    const holdsSecrets = this.#isSensitive(info.group, info.resource, info.subresource)
    if (holdsSecrets && level !== 'None') return { level: 'Metadata', omitStages }
    if (level === 'Request' && bodilessVerbs.has(info.verb)) return { level: 'Metadata', omitStages }
    return { level, omitStages }
  }
}

function parsePolicy(text: string): Static<typeof Policy> {
  const value: unknown = parse(text)
  const check = new Ajv({ allErrors: true }).compile<Static<typeof Policy>>(Policy)
  if (check(value)) return value
  const problems = (check.errors ?? []).map(error => `${error.instancePath || '/'} ${error.message}`)
  throw new Error(`the audit policy is not valid: ${problems.join('; ')}`)
}

function isFitting(rule: Rule, { user, info }: RequestContext): boolean {
  const isIn = (list: readonly string[] | undefined, value: string) => !list?.length || list.includes(value)
  if (!isIn(rule.users, user.name) || !isIn(rule.verbs, info.verb)) return false
  if (rule.userGroups?.length && !rule.userGroups.some(group => user.groups.includes(group))) return false
  if (!info.isResource) {
    if (rule.resources?.length || rule.namespaces?.length) return false
    return !rule.nonResourceURLs?.length || rule.nonResourceURLs.some(url => isPathMatch(url, info.path))
  }
  if (rule.nonResourceURLs?.length) return false
  if (!isIn(rule.namespaces, info.namespace)) return false
  return !rule.resources?.length || rule.resources.some(each => isResourceMatch(each, info))
}

const isPathMatch = (pattern: string, path: string) =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

function isResourceMatch(
  { group = '', resources, resourceNames }: NonNullable<Rule['resources']>[number],
  info: RequestContext['info'],
): boolean {
  if (group !== info.group) return false
  if (resourceNames?.length && !resourceNames.includes(info.name)) return false
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
