import {
  type AccessAttributes,
  type AccessDecision,
  type Authorizer,
  type AuthorizerDefinition,
  addAll,
  mastersGroup,
  type ResourceAccess,
  type RulesOfUser,
  type UserInfo,
  type Vendor,
} from 'orch/sdk'
import { refusal } from '../contracts/access-refusal.js'
import type { RequestContext } from '../contracts/request-context.js'
import { requestedName } from '../contracts/requested-name.js'
import { whenFilled } from '../watch/filled-caches.js'

const noOpinion: AccessDecision = { decision: 'noOpinion' }

/** What the modes without an opinion said: why, and what kept them from having one. */
class NoOpinionCollector {
  readonly #reasons: string[] = []
  readonly #errors: string[] = []

  add({ reason, evaluationError }: AccessDecision): void {
    if (reason) this.#reasons.push(reason)
    if (evaluationError) this.#errors.push(evaluationError)
  }
  conclusion(): AccessDecision {
    if (this.#reasons.length === 0 && this.#errors.length === 0) return noOpinion
    const evaluationError = allErrors(this.#errors)
    return {
      decision: 'noOpinion',
      ...(this.#reasons.length > 0 ? { reason: this.#reasons.join('\n') } : {}),
      ...(evaluationError === undefined ? {} : { evaluationError }),
    }
  }
}

/** One error as it is, several as a list. */
function allErrors(errors: readonly string[]): string | undefined {
  const different = [...new Set(errors)]
  return different.length > 1 ? `[${different.join(', ')}]` : different[0]
}

interface Mode {
  readonly definition: AuthorizerDefinition
  readonly services: never
}
const allow: AccessDecision = { decision: 'allow' }

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
    return this.#from(0, access, new NoOpinionCollector())
  }

  #from(
    start: number,
    access: AccessAttributes,
    undecided: NoOpinionCollector,
  ): AccessDecision | Promise<AccessDecision> {
    for (let i = start; i < this.#modes.length; i++) {
      const { definition, services } = this.#modes[i]!
      const decision = whenFilled(() => definition.authorize(access, services))
      if (decision instanceof Promise) return decision.then(later => this.#consider(later, i, access, undecided))
      if (decision.decision !== 'noOpinion') return decision
      undecided.add(decision)
    }
    return undecided.conclusion()
  }
  #consider(
    decision: AccessDecision,
    at: number,
    access: AccessAttributes,
    undecided: NoOpinionCollector,
  ): AccessDecision | Promise<AccessDecision> {
    if (decision.decision !== 'noOpinion') return decision
    undecided.add(decision)
    return this.#from(at + 1, access, undecided)
  }

  async rulesFor(user: UserInfo, namespace: string): Promise<RulesOfUser> {
    const all = { resourceRules: [], nonResourceRules: [], incomplete: false } as {
      resourceRules: RulesOfUser['resourceRules'][number][]
      nonResourceRules: RulesOfUser['nonResourceRules'][number][]
      incomplete: boolean
    }
    const errors: string[] = []
    if (user.groups.includes(mastersGroup)) {
      all.resourceRules.push({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })
      all.nonResourceRules.push({ verbs: ['*'], nonResourceURLs: ['*'] })
    }
    for (const { definition, services } of this.#modes) {
      const rules = await whenFilled(() => definition.rulesFor?.(user, namespace, services))
      if (!rules) {
        all.incomplete = true
        continue
      }
      addAll(all.resourceRules, rules.resourceRules)
      addAll(all.nonResourceRules, rules.nonResourceRules)
      all.incomplete ||= rules.incomplete
      if (rules.evaluationError) errors.push(rules.evaluationError)
    }
    const evaluationError = allErrors(errors)
    return evaluationError === undefined ? all : { ...all, evaluationError }
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

/** Is the acting user allowed to make this request? Throws otherwise. Synchronous when the modes are. */
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
        namespace: info.accessNamespace,
        name: requestedName(info),
      }
    : { user, verb: info.verb, path: info.path }
  const decision = authorizer.authorize(access)
  if (decision instanceof Promise) return decision.then(later => conclude(context, vendor, access, later))
  conclude(context, vendor, access, decision)
}

function conclude(context: RequestContext, vendor: Vendor, access: AccessAttributes, decided: AccessDecision): void {
  const isAllowed = decided.decision === 'allow'
  const hasFailed = !isAllowed && decided.evaluationError !== undefined
  if (context.auditLevel !== 'None') {
    const group = vendor.group('authorization')
    if (!hasFailed) context.annotate(`${group}/decision`, isAllowed ? 'allow' : 'forbid')
    context.annotate(`${group}/reason`, hasFailed ? 'internal error' : (decided.reason ?? ''))
  }
  if (!isAllowed) throw refusal(access, decided)
}
