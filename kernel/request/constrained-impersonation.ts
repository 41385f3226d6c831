import { type Authorizer, forbidden, type UserInfo, type Vendor } from 'orch/sdk'
import { constrainedSubject, userSubject } from 'orch/sdk/host'
import { type AccessAttributes, mastersGroup, type ResourceAccess } from 'orch/sdk/identity'
import { isDns1123Subdomain } from 'orch/sdk/validation'
import { refusal } from '../contracts/access-refusal.js'

/** The user that the headers ask to impersonate. */
export interface RequestedUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}
/** The user that may be impersonated, with the groups of the headers, or those that the name implies. */
export interface ImpersonatedUser extends RequestedUser {
  /** The verb that allowed it, unless that is plain `impersonate`. */
  readonly constraint?: string
}

/**
 * One way in which impersonation can be allowed. All but plain impersonation also restrict the action: with
 * `impersonate:user-info` and `impersonate-on:user-info:list` somebody may list as a certain user, and nothing else.
 */
interface ImpersonationMode {
  readonly name: string
  /** Whether the mode covers this user. */
  readonly applies: (wanted: RequestedUser, requester: UserInfo) => boolean
  /** The access to check, where it differs from the given one. */
  readonly asked?: (access: AccessAttributes, verb: string) => AccessAttributes
}

/** With at least this many values, the permission for all values is checked first. */
const manyValues = 4
/** Users whose last mode is cached. */
const maxRemembered = 10_000

/** Decides who may impersonate whom. The mode that last allowed it is tried first, so that a refusal reports its reason. */
export class ConstrainedImpersonation {
  readonly #authorizer: Authorizer
  readonly #group: string
  readonly #modes: readonly ImpersonationMode[]
  /** The specification has plain impersonation only: a refusal reports the permission that is missing for that. */
  readonly #isAddition: boolean
  readonly #lastModes = new Map<string, ImpersonationMode>()

  constructor(authorizer: Authorizer, vendor: Vendor) {
    this.#authorizer = authorizer
    this.#group = vendor.group('authentication')
    const nodeNameKey = vendor.qualify('node-name', 'authentication')
    const keysOfNode = vendor.qualify('associated-node-keys', 'authentication')
    const plain: ImpersonationMode = { name: '', applies: () => true }
    const constrained: ImpersonationMode[] = [
      {
        name: 'associated-node',
        applies: (wanted, { name, extra = {} }) => {
          const own = extra[nodeNameKey]
          const subject = constrainedSubject(wanted.name)
          const isOwn = subject.kind === 'node' && own?.length === 1 && own[0] === subject.name
          return isOwn && isOnlyName(wanted) && constrainedSubject(name).kind === 'account'
        },
        // The node is always that of the account, so the permission covers all nodes.
        asked: (access, verb) => ({
          ...access,
          user: { ...access.user, extra: { [keysOfNode]: Object.keys(access.user.extra ?? {}).sort() } },
          ...(access.path === undefined && verb === 'impersonate:associated-node' ? { name: '*' } : {}),
        }),
      },
      {
        name: 'arbitrary-node',
        applies: wanted => isOnlyName(wanted) && constrainedSubject(wanted.name).kind === 'node',
      },
      {
        name: 'serviceaccount',
        applies: wanted => isOnlyName(wanted) && constrainedSubject(wanted.name).kind === 'account',
      },
      {
        name: 'user-info',
        applies: ({ name }) => constrainedSubject(name).kind === 'user',
      },
    ]
    this.#isAddition = vendor.level.isAdditive
    this.#modes = this.#isAddition ? [plain, ...constrained] : [...constrained, plain]
  }

  /** Throws the refusal. `request` is what the requester wants to do as that user. */
  async decide(wanted: RequestedUser, request: AccessAttributes): Promise<ImpersonatedUser> {
    const { name: requester } = request.user
    const last = this.#lastModes.get(requester)
    const modes = last ? [last, ...this.#modes.filter(mode => mode !== last)] : this.#modes
    let reason: unknown
    for (const mode of modes) {
      if (!mode.applies(wanted, request.user)) continue
      try {
        const user = await this.#ask(mode, wanted, request)
        this.#remember(requester, mode)
        return user
      } catch (error) {
        reason ??= error
      }
    }
    throw reason
  }

  #remember(requester: string, mode: ImpersonationMode): void {
    if (this.#isAddition) return
    this.#lastModes.delete(requester)
    this.#lastModes.set(requester, mode)
    const [oldest] = this.#lastModes.keys()
    if (this.#lastModes.size > maxRemembered && oldest !== undefined) this.#lastModes.delete(oldest)
  }

  async #ask(mode: ImpersonationMode, wanted: RequestedUser, request: AccessAttributes): Promise<ImpersonatedUser> {
    const isConstrained = mode.name !== ''
    const check = async (access: AccessAttributes) => {
      const asked = mode.asked?.(access, access.verb) ?? access
      const decided = await this.#authorizer.authorize(asked)
      if (decided.decision !== 'allow') throw refusal(asked, decided)
    }
    if (isConstrained) await check({ ...request, verb: `impersonate-on:${mode.name}:${request.verb}` })
    const verb = isConstrained ? `impersonate:${mode.name}` : 'impersonate'
    const about = (resource: string, name: string, group = this.#group): ResourceAccess => ({
      user: request.user,
      verb,
      group,
      version: 'v1',
      resource,
      subresource: '',
      namespace: '',
      name,
    })
    const ofNames = isConstrained ? this.#group : ''
    const {
      groups: implied,
      resource,
      namespace,
      name,
    } = isConstrained ? constrainedSubject(wanted.name) : userSubject(wanted.name)
    await check({ ...about(resource, name, ofNames), namespace })
    if (wanted.uid !== '') await check(about('uids', wanted.uid))
    await this.#checkGroups(wanted, about('groups', '', ofNames), isConstrained, check)
    await this.#checkExtra(wanted, about('userextras', ''), isConstrained, check)
    const groups = wanted.groups.length === 0 ? implied : wanted.groups
    return { ...wanted, groups, ...(isConstrained ? { constraint: verb } : {}) }
  }

  async #checkGroups(
    { groups }: RequestedUser,
    access: ResourceAccess,
    isConstrained: boolean,
    check: (access: AccessAttributes) => Promise<void>,
  ): Promise<void> {
    if (isConstrained && groups.includes(''))
      throw refused(access, 'impersonating the empty string group is not allowed')
    if (isConstrained && groups.includes(mastersGroup))
      throw refused({ ...access, name: mastersGroup }, `impersonating the ${mastersGroup} group is not allowed`)
    if (isConstrained && groups.length >= manyValues && (await passes(check, { ...access, name: '*' }))) return
    for (const name of groups) await check({ ...access, name })
  }

  async #checkExtra(
    { extra }: RequestedUser,
    access: ResourceAccess,
    isConstrained: boolean,
    check: (access: AccessAttributes) => Promise<void>,
  ): Promise<void> {
    const values = Object.entries(extra).flatMap(([subresource, each]) => each.map(name => ({ subresource, name })))
    const problem = isConstrained ? extraProblem(extra) : undefined
    if (problem) throw refused(access, problem)
    const isMany = Object.keys(extra).length >= manyValues || values.length >= manyValues
    if (isConstrained && isMany && (await passes(check, { ...access, subresource: '*', name: '*' }))) return
    for (const value of values) await check({ ...access, ...value })
  }
}

const isOnlyName = ({ uid, groups, extra }: RequestedUser): boolean =>
  uid === '' && groups.length === 0 && Object.keys(extra).length === 0

const passes = (check: (access: AccessAttributes) => Promise<void>, access: AccessAttributes): Promise<boolean> =>
  check(access).then(
    () => true,
    () => false,
  )

/** What follows the domain in a key such as `example.com/project`. */
const pathOfKey = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/

function extraProblem(extra: RequestedUser['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    const slash = key.indexOf('/')
    if (key === '') return 'impersonating the empty string key in extra is not allowed'
    if (slash < 1 || isDns1123Subdomain(key.slice(0, slash)).length > 0 || !pathOfKey.test(key.slice(slash + 1)))
      return `impersonating an invalid key in extra is not allowed: ${JSON.stringify(key)} must be a domain-prefixed path (such as "acme.io/foo")`
    if (key !== key.toLowerCase())
      return `impersonating a non-lowercase key in extra is not allowed: ${JSON.stringify(key)}`
    if (values.length === 0) return 'impersonating empty values in extra is not allowed'
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed'
  }
  return undefined
}

const refused = ({ group, resource, name }: ResourceAccess, why: string): Error =>
  forbidden({ group, resource, name }, why)
