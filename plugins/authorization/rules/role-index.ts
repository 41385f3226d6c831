import type { UserInfo } from 'orch/sdk'
import type { AccessAttributes, AccessDecision } from 'orch/sdk/identity'
import { type Binding, type Grant, RoleHandle, ScopeGrants } from './grants.js'
import type { PolicyRule, RoleRef } from './schema.js'

/** What the index needs to know of a Role or ClusterRole. */
export interface RoleObject {
  readonly metadata: { readonly name?: string; readonly namespace?: string }
  readonly rules?: readonly PolicyRule[] | null
}

/** Rules of a user, as far as they could be resolved. */
export interface RulesHeld {
  readonly rules: PolicyRule[]
  readonly isComplete: boolean
  /** What is missing. */
  readonly problem: string | undefined
}
/** Far more than the roles of a real user list; a few milliseconds of work. */
const maxValues = 200_000

const noOpinion: AccessDecision = { decision: 'noOpinion' }

/**
 * Decides on every request who may do what. It looks up the user and the groups of the request, so the cost depends on
 * the bindings of that user, not on the number of all bindings:
 *
 *   cluster          user "ann"  → { grant → role "view" }
 *                    group "dev" → { grant → role "edit" }
 *   namespace "farm" user "ann"  → { grant → role "farm/milker" }
 */
export class RoleIndex {
  readonly #group: string
  readonly #roles = new Map<string, RoleHandle>()
  readonly #cluster = new ScopeGrants()
  readonly #namespaces = new Map<string, ScopeGrants>()
  readonly #removeBinding = new Map<string, () => void>()
  /** Counts changes of roles, so that holders of combined rules detect that they are stale. */
  #rolesChangedAt = 0

  /** `group` is the API group of the roles, for messages. */
  constructor(group: string) {
    this.#group = group
  }

  /** Adds or replaces a Role (with a namespace) or a ClusterRole. */
  setRole({ metadata, rules }: RoleObject): void {
    this.#handle(metadata.namespace ?? '', metadata.name ?? '').setRules(rules ?? [], ++this.#rolesChangedAt)
  }
  removeRole({ metadata }: Pick<RoleObject, 'metadata'>): void {
    const handle = this.#handle(metadata.namespace ?? '', metadata.name ?? '')
    handle.setRules(undefined, ++this.#rolesChangedAt)
    this.#dropIfUnused(handle)
  }

  /** Adds or replaces a RoleBinding (with a namespace) or a ClusterRoleBinding. */
  setBinding(binding: Binding): void {
    this.removeBinding(binding)
    const { name = '', namespace = '' } = binding.metadata
    const role = this.#referenced(binding.roleRef, namespace)
    if (role === undefined) return
    const scope = this.#scope(namespace)
    const remove = scope.add(binding, role)
    role.references++
    this.#removeBinding.set(`${namespace}/${name}`, () => {
      remove()
      if (scope.isEmpty && this.#namespaces.get(namespace) === scope) this.#namespaces.delete(namespace)
      role.references--
      this.#dropIfUnused(role)
    })
  }
  removeBinding({ metadata }: Pick<Binding, 'metadata'>): void {
    const key = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
    this.#removeBinding.get(key)?.()
    this.#removeBinding.delete(key)
  }

  /**
   * Allows, and names the binding that does; or has no opinion. It never denies, so that other modes may still allow.
   */
  decide(access: AccessAttributes): AccessDecision {
    const namespace = access.path === undefined ? access.namespace : ''
    const grant =
      this.#cluster.find(access, this.#rolesChangedAt) ??
      (namespace === '' ? undefined : this.#namespaces.get(namespace)?.find(access, this.#rolesChangedAt))
    if (grant !== undefined) return grant.allowed
    const missing = new Set<string>()
    for (const { role } of this.#grantsOf(access.user, namespace))
      if (role.rules === undefined) missing.add(role.description)
    return missing.size === 0 ? noOpinion : { decision: 'noOpinion', reason: `RBAC: ${sentence([...missing])}` }
  }

  /**
   * The rules that hold for a user in a namespace (`''`: only the cluster-wide ones), each role once, and what could
   * not be resolved. Beyond `maxValues` values the result is incomplete.
   */
  rulesFor(user: UserInfo, namespace: string): RulesHeld {
    const rules: PolicyRule[] = []
    const missing = new Set<string>()
    let values = 0
    for (const role of new Set(this.#rolesOf(user, namespace))) {
      if (role.rules === undefined) missing.add(role.description)
      for (const rule of role.rules ?? []) {
        values += valuesIn(rule)
        if (values > maxValues) break
        rules.push(rule)
      }
    }
    const isComplete = values <= maxValues
    if (!isComplete) missing.add(`the roles of ${JSON.stringify(user.name)} list more than ${maxValues} values`)
    return { rules, isComplete, problem: missing.size === 0 ? undefined : sentence([...missing]) }
  }

  *#rolesOf(user: UserInfo, namespace: string): Iterable<RoleHandle> {
    for (const { role } of this.#grantsOf(user, namespace)) yield role
  }

  *#grantsOf(user: UserInfo, namespace: string): Iterable<Grant> {
    yield* this.#cluster.of(user)
    if (namespace !== '') yield* this.#namespaces.get(namespace)?.of(user) ?? []
  }

  #scope(namespace: string): ScopeGrants {
    if (namespace === '') return this.#cluster
    const scope = this.#namespaces.get(namespace) ?? new ScopeGrants()
    this.#namespaces.set(namespace, scope)
    return scope
  }

  #referenced({ kind, name }: RoleRef, bindingNamespace: string): RoleHandle | undefined {
    if (kind === 'ClusterRole') return this.#handle('', name)
    return kind === 'Role' && bindingNamespace !== '' ? this.#handle(bindingNamespace, name) : undefined
  }

  #handle(namespace: string, name: string): RoleHandle {
    const key = `${namespace}/${name}`
    const known = this.#roles.get(key)
    if (known !== undefined) return known
    const type = namespace === '' ? 'clusterrole' : 'role'
    const handle = new RoleHandle(key, `${type}.${this.#group} ${JSON.stringify(name)} not found`)
    this.#roles.set(key, handle)
    return handle
  }

  /** Drops the handle of a role that neither exists nor is referred to. */
  #dropIfUnused(handle: RoleHandle): void {
    if (handle.rules === undefined && handle.references === 0) this.#roles.delete(handle.key)
  }
}

/** A message names no more problems than this. */
const maxProblems = 100
const sentence = (problems: readonly string[]): string => {
  if (problems.length === 1) return problems[0] ?? ''
  const more = problems.length > maxProblems ? `, and ${problems.length - maxProblems} more` : ''
  return `[${problems.slice(0, maxProblems).join(', ')}${more}]`
}

const lists = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const
const valuesIn = (rule: PolicyRule): number => lists.reduce((sum, list) => sum + (rule[list]?.length ?? 0), 0)
