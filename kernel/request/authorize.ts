import {
  type AccessAttributes,
  type AccessDecision,
  type AskedAuthorizer,
  type Authorizer,
  type AuthorizerDefinition,
  firstOpinion,
  mastersGroup,
  type ResourceAccess,
  type RulesOfUser,
  rulesOfAll,
  type UserInfo,
  type Vendor,
} from 'orch/sdk'
import { refusal } from '../contracts/access-refusal.js'
import type { RequestContext } from '../contracts/request-context.js'
import { requestedName } from '../contracts/request-info.js'
import { whenFilled } from '../watch/filled-caches.js'

interface Mode {
  readonly definition: AuthorizerDefinition
  readonly services: never
}
const allow: AccessDecision = { decision: 'allow' }

/** The modes in order: the first opinion counts, none is a refusal. Members of the masters group may do everything. */
export class AuthorizerChain implements Authorizer {
  readonly modes: readonly string[]
  readonly #asked: readonly AskedAuthorizer[]
  constructor(modes: readonly Mode[]) {
    this.modes = modes.flatMap(({ definition }) => definition.standsFor ?? [definition.mode])
    this.#asked = modes.map(({ definition, services }) => ({
      authorize: access => whenFilled(() => definition.authorize(access, services)),
      rulesFor: (user, namespace) => whenFilled(() => definition.rulesFor?.(user, namespace, services)),
    }))
  }

  authorize(access: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    return access.user.groups.includes(mastersGroup) ? allow : firstOpinion(this.#asked, access)
  }

  async rulesFor(user: UserInfo, namespace: string): Promise<RulesOfUser> {
    const rules = await rulesOfAll(this.#asked, user, namespace)
    if (!user.groups.includes(mastersGroup)) return rules
    return {
      ...rules,
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, ...rules.resourceRules],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }, ...rules.nonResourceRules],
    }
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
  if (context.audit.level !== 'None') {
    const group = vendor.group('authorization')
    if (!hasFailed) context.annotate(`${group}/decision`, isAllowed ? 'allow' : 'forbid')
    context.annotate(`${group}/reason`, hasFailed ? 'internal error' : (decided.reason ?? ''))
  }
  if (!isAllowed) throw refusal(access, decided)
}
