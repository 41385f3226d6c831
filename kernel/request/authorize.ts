import { isDeepStrictEqual } from 'node:util'
import { type Authorizer, andThen, type UserInfo, type Vendor } from 'orch/sdk'
import {
  type AccessAttributes,
  type AccessDecision,
  type AskedAuthorizer,
  type AuthorizerDefinition,
  firstOpinion,
  mastersGroup,
  type ResourceAccess,
  type RulesOfUser,
  rulesOfAll,
} from 'orch/sdk/identity'
import { parseFieldSelector, parseLabelSelector } from 'orch/sdk/validation'
import { refusal } from '../contracts/access-refusal.js'
import type { RequestContext } from '../contracts/request-context.js'
import { requestedName } from '../contracts/request-info.js'
import { whenFilled } from '../watch/filled-caches.js'

interface Mode {
  readonly definition: AuthorizerDefinition
  readonly services: never
}
const allow: AccessDecision = { decision: 'allow' }

/**
 * Consults the modes in order: the first opinion counts; without one the request is denied. The masters group may do
 * everything.
 */
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
    const [allResources, allPaths] = [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]
    const isNew = (rule: object, rules: readonly object[]) => !rules.some(known => isDeepStrictEqual(known, rule))
    return {
      ...rules,
      resourceRules: [...[allResources].filter(rule => isNew(rule, rules.resourceRules)), ...rules.resourceRules],
      nonResourceRules: [...[allPaths].filter(rule => isNew(rule, rules.nonResourceRules)), ...rules.nonResourceRules],
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

/** What authorizing a request needs. */
export interface AuthorizationParts {
  readonly authorizer: Authorizer
  readonly vendor: Vendor
  /** Whether authorizers get the selectors. */
  readonly authorizesSelectors?: boolean
}

/** What the acting user wants to do, optionally with the selectors of a collection. */
export function accessOf({ info, user }: RequestContext, withSelectors = false): AccessAttributes {
  if (!info.isResource) return { user, verb: info.verb, path: info.path }
  return {
    user,
    verb: info.verb,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.accessNamespace,
    name: requestedName(info),
    ...(withSelectors && selectingVerbs.has(info.verb) ? selectorsOf(info.query) : undefined),
  }
}
const selectingVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection'])

/** Invalid selectors are left out: the verb rejects them later, and a request without selectors needs broader permissions. */
function selectorsOf(query: URLSearchParams): Pick<ResourceAccess, 'fieldSelector' | 'labelSelector'> {
  const fields = read(query.get('fieldSelector'), parseFieldSelector)
  const labels = read(query.get('labelSelector'), parseLabelSelector)
  return { ...(fields ? { fieldSelector: fields } : {}), ...(labels ? { labelSelector: labels } : {}) }
}
function read<T>(text: string | null, parse: (text: string) => readonly T[]): readonly T[] | undefined {
  if (!text) return undefined
  try {
    const requirements = parse(text)
    return requirements.length === 0 ? undefined : requirements
  } catch {
    return undefined
  }
}

/** Throws unless the acting user may make this request. Synchronous when the modes are. */
export function authorizeRequest(
  context: RequestContext,
  { authorizer, vendor, authorizesSelectors = false }: AuthorizationParts,
): void | Promise<void> {
  const access = accessOf(context, authorizesSelectors)
  return andThen(authorizer.authorize(access), decision => conclude(context, vendor, access, decision))
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
