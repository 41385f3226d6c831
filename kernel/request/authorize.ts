import {
  type AccessAttributes,
  type AccessDecision,
  type Authorizer,
  type AuthorizerDefinition,
  forbidden,
  mastersGroup,
  type ResourceAccess,
  type RulesOfUser,
  type UserInfo,
  type Vendor,
} from 'orch/sdk'
import type { RequestContext } from './request-context.js'
import { requestedName } from './requested-name.js'

interface Mode {
  readonly definition: AuthorizerDefinition
  readonly services: never
}
const allow: AccessDecision = { decision: 'allow' }
const noOpinion: AccessDecision = { decision: 'noOpinion' }

/** The modes in order: the first opinion counts, none is a refusal. Members of the masters group may do everything. */
export class AuthorizerChain implements Authorizer {
  readonly modes: readonly string[]
  readonly #modes: readonly Mode[]
  constructor(modes: readonly Mode[]) {
    this.#modes = modes
    this.modes = modes.map(({ definition }) => definition.mode)
  }

  authorize(access: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    if (access.user.groups.includes(mastersGroup)) return allow
    return this.#from(0, access, [])
  }

  #from(start: number, access: AccessAttributes, reasons: string[]): AccessDecision | Promise<AccessDecision> {
    for (let i = start; i < this.#modes.length; i++) {
      const { definition, services } = this.#modes[i]!
      const decision = definition.authorize(access, services)
      if (decision instanceof Promise) return decision.then(later => this.#consider(later, i, access, reasons))
      if (decision.decision !== 'noOpinion') return decision
      if (decision.reason) reasons.push(decision.reason)
    }
    return reasons.length === 0 ? noOpinion : { decision: 'noOpinion', reason: reasons.join(', ') }
  }
  #consider(
    decision: AccessDecision,
    at: number,
    access: AccessAttributes,
    reasons: string[],
  ): AccessDecision | Promise<AccessDecision> {
    if (decision.decision !== 'noOpinion') return decision
    if (decision.reason) reasons.push(decision.reason)
    return this.#from(at + 1, access, reasons)
  }

  async rulesFor(user: UserInfo, namespace: string): Promise<RulesOfUser> {
    const all = { resourceRules: [], nonResourceRules: [], incomplete: false } as {
      resourceRules: RulesOfUser['resourceRules'][number][]
      nonResourceRules: RulesOfUser['nonResourceRules'][number][]
      incomplete: boolean
      evaluationError?: string
    }
    if (user.groups.includes(mastersGroup)) {
      all.resourceRules.push({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })
      all.nonResourceRules.push({ verbs: ['*'], nonResourceURLs: ['*'] })
    }
    for (const { definition, services } of this.#modes) {
      const rules = await definition.rulesFor?.(user, namespace, services)
      if (!rules) {
        all.incomplete = true
        continue
      }
      all.resourceRules.push(...rules.resourceRules)
      all.nonResourceRules.push(...rules.nonResourceRules)
      all.incomplete ||= rules.incomplete
      if (rules.evaluationError) all.evaluationError = rules.evaluationError
    }
    return all
  }

  async allows(user: UserInfo, verb: string, target: Partial<Omit<ResourceAccess, 'user' | 'verb'>>): Promise<boolean> {
    const access = {
      group: '',
      version: '*',
      resource: '',
      subresource: '',
      namespace: '',
      name: '',
      ...target,
      user,
      verb,
    }
    const { path: _, ...resourceAccess } = access
    return (await this.authorize(resourceAccess)).decision === 'allow'
  }
}

/** Is the acting user allowed to make this request? Throws the 403 otherwise. Synchronous when the modes are. */
export function authorizeRequest(
  authorizer: Authorizer,
  vendor: Vendor,
  context: RequestContext,
): void | Promise<void> {
  const { info, user } = context
  const access: AccessAttributes = info.isResource
    ? {
        user,
        verb: info.verb,
        group: info.group,
        version: info.version,
        resource: info.resource,
        subresource: info.subresource,
        namespace: info.namespace,
        name: requestedName(info),
      }
    : { user, verb: info.verb, path: info.path }
  const decision = authorizer.authorize(access)
  if (decision instanceof Promise) return decision.then(later => conclude(context, vendor, access, later))
  conclude(context, vendor, access, decision)
}

function conclude(context: RequestContext, vendor: Vendor, access: AccessAttributes, decided: AccessDecision): void {
  if (context.auditLevel !== 'None') {
    const group = vendor.group('authorization')
    context.annotate(`${group}/decision`, decided.decision === 'allow' ? 'allow' : 'forbid')
    context.annotate(`${group}/reason`, decided.reason ?? '')
  }
  refuseUnlessAllowed(access, decided)
}

function refuseUnlessAllowed(access: AccessAttributes, { decision, reason }: AccessDecision): void {
  if (decision === 'allow') return
  const { user, verb } = access
  const why = reason ? `: ${reason}` : ''
  if (access.path !== undefined)
    throw forbidden({ group: '', resource: '' }, `User "${user.name}" cannot ${verb} path "${access.path}"${why}`)
  const { group, resource, subresource, namespace, name } = access
  const what = subresource ? `${resource}/${subresource}` : resource
  const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope'
  throw forbidden(
    { group, resource, name },
    `User "${user.name}" cannot ${verb} resource "${what}" in API group "${group}" ${where}${why}`,
  )
}
