import {
  type AccessAttributes,
  defineAuthorizer,
  type ResourceAccess,
  serviceAccountUser,
} from '../../identity/index.js'
import {
  type ControllerRule,
  type DeclaredController,
  definePlugin,
  type Plugin,
  services,
  type Vendor,
} from '../../index.js'

const followedVerbs = ['get', 'list', 'watch']

/**
 * Restricts control loops to what their rules allow, and records denied requests. Without a plugin that authorizes
 * requests they may do everything, so an author would not notice a missing rule.
 */
export class LoopRights {
  readonly #vendor: Vendor
  /** By account. */
  readonly #refused = new Map<string, Set<string>>()

  constructor(vendor: Vendor) {
    this.#vendor = vendor
  }

  /** Listed last: what other modes allow is allowed. */
  plugin(): Plugin {
    return definePlugin({
      name: 'conformance-loop-rights',
      register: to =>
        to.authorizer(
          defineAuthorizer({
            mode: 'ConformanceLoopRights',
            needs: { controllers: services.controllers },
            knowsLoopRoles: true,
            authorize: (access, { controllers }) => ({
              decision: this.#allows(access, controllers) ? 'allow' : 'noOpinion',
            }),
          }),
        ),
    })
  }

  /** The denied requests of these accounts, one line each. */
  refusedTo(accounts: readonly string[]): string[] {
    return accounts.flatMap(account => [...(this.#refused.get(account) ?? [])].map(what => `${account}: ${what}`))
  }

  #allows(access: AccessAttributes, controllers: readonly DeclaredController[]): boolean {
    const { users, namespaces } = this.#vendor.profile
    const { user, verb } = access
    // Fills the caches that loops share.
    if (user.name === users.controllerManager) return followedVerbs.includes(verb)
    const isIts = ({ account }: DeclaredController) => serviceAccountUser(namespaces.system, account).name === user.name
    const own = controllers.filter(isIts)
    const [loop] = own
    if (!loop) return false
    // Discovery is open to everyone who is authenticated.
    if ('path' in access) return verb === 'get'
    if (own.some(({ rules }) => rules.some(rule => covers(rule, access)))) return true
    const refused = this.#refused.get(loop.account) ?? new Set()
    this.#refused.set(loop.account, refused.add(describe(access)))
    return false
  }
}

function covers(rule: ControllerRule, access: ResourceAccess): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], namespace } = rule
  const { group, resource, subresource, name } = access
  const includes = (list: readonly string[], value: string) => list.includes('*') || list.includes(value)
  const isOfResource = subresource
    ? includes(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
    : includes(resources, resource)
  return (
    includes(verbs, access.verb) &&
    includes(apiGroups, group) &&
    isOfResource &&
    (resourceNames.length === 0 || resourceNames.includes(name)) &&
    (namespace === undefined || namespace === access.namespace)
  )
}

function describe({ verb, group, resource, subresource }: ResourceAccess): string {
  const what = subresource ? `${resource}/${subresource}` : resource
  return `${verb} ${what}${group ? ` of ${group}` : ''}`
}
