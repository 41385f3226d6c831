import type { UserInfo } from 'orch/sdk'
import type { AccessAttributes, AccessDecision } from 'orch/sdk/identity'
import { type ReadyRule, RuleMatcher, readyRules } from './rule-matcher.js'
import type { PolicyRule, RoleRef, Subject } from './schema.js'
import { describeSubject, identityOf } from './subjects.js'

/** What the index needs to know of a RoleBinding or ClusterRoleBinding. */
export interface Binding {
  readonly metadata: { readonly name?: string; readonly namespace?: string }
  readonly roleRef: RoleRef
  readonly subjects?: readonly Subject[] | null
}

/**
 * A role that bindings point to, whether it exists or not. Bindings share it, so a change of the role touches no
 * binding.
 */
export class RoleHandle {
  #rules: readonly PolicyRule[] | undefined
  #ready: readonly ReadyRule[] | undefined
  readonly key: string
  /** The message when it is missing. */
  readonly description: string
  /** How many bindings point to it. */
  references = 0
  /** Sequence number of its last change, among the changes of all roles. */
  changedAt = 0

  constructor(key: string, description: string) {
    this.key = key
    this.description = description
  }
  get rules(): readonly PolicyRule[] | undefined {
    return this.#rules
  }
  setRules(rules: readonly PolicyRule[] | undefined, changedAt: number): void {
    this.#rules = rules
    this.#ready = undefined
    this.changedAt = changedAt
  }
  /** Prepared on first use; empty while the role does not exist. */
  get ready(): readonly ReadyRule[] {
    this.#ready ??= readyRules(this.#rules ?? [])
    return this.#ready
  }
}

/** One subject of one binding. */
export class Grant {
  readonly role: RoleHandle
  readonly #binding: Binding
  readonly #subject: Subject
  #allowed: AccessDecision | undefined

  constructor(binding: Binding, subject: Subject, role: RoleHandle) {
    this.#binding = binding
    this.#subject = subject
    this.role = role
  }
  /** The decision when this grant allows a request. */
  get allowed(): AccessDecision {
    this.#allowed ??= { decision: 'allow', reason: `RBAC: allowed by ${this.describe()}` }
    return this.#allowed
  }
  describe(): string {
    const { metadata, roleRef } = this.#binding
    const { name = '', namespace } = metadata
    const what = namespace
      ? `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`
      : `ClusterRoleBinding ${JSON.stringify(name)}`
    const subject = describeSubject(this.#subject, namespace ?? '')
    return `${what} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${subject}`
  }
}

/**
 * Everything one user or one group was granted in one scope. The rules of all its roles are indexed together, by
 * resource, so a request costs the same whether there is one binding or a hundred. The index is built on first use, and
 * again when a grant or one of the roles has changed.
 */
class SubjectGrants {
  readonly grants = new Set<Grant>()
  #matcher: RuleMatcher<Grant> | undefined
  /** The sequence number of role changes up to which the matcher is current. */
  #checkedAt = 0

  add(grant: Grant): void {
    this.grants.add(grant)
    this.#matcher = undefined
  }
  delete(grant: Grant): void {
    this.grants.delete(grant)
    this.#matcher = undefined
  }

  /** The grant that allows a request. `rolesChangedAt` is the sequence number of the latest change of any role. */
  find(access: AccessAttributes, rolesChangedAt: number): Grant | undefined {
    if (this.#matcher !== undefined && this.#checkedAt !== rolesChangedAt && this.#isStale()) this.#matcher = undefined
    this.#checkedAt = rolesChangedAt
    this.#matcher ??= this.#build()
    return this.#matcher.find(access)
  }

  #isStale(): boolean {
    for (const { role } of this.grants) if (role.changedAt > this.#checkedAt) return true
    return false
  }

  /** A role that is granted several times counts once. */
  #build(): RuleMatcher<Grant> {
    const matcher = new RuleMatcher<Grant>()
    const seen = new Set<RoleHandle>()
    for (const grant of this.grants) {
      if (seen.has(grant.role)) continue
      seen.add(grant.role)
      matcher.add(grant.role.ready, grant)
    }
    return matcher
  }
}

/** The grants of one scope (the cluster or a namespace), indexed by subject. */
export class ScopeGrants {
  readonly #byUser = new Map<string, SubjectGrants>()
  readonly #byGroup = new Map<string, SubjectGrants>()

  /** Adds the grants of a binding; the returned function removes them. */
  add(binding: Binding, role: RoleHandle): () => void {
    const removals = (binding.subjects ?? []).map(subject => {
      const identity = identityOf(subject, binding.metadata.namespace ?? '')
      if (identity === undefined) return () => {}
      const grant = new Grant(binding, subject, role)
      return 'user' in identity ? put(this.#byUser, identity.user, grant) : put(this.#byGroup, identity.group, grant)
    })
    return () => {
      for (const remove of removals) remove()
    }
  }

  get isEmpty(): boolean {
    return this.#byUser.size === 0 && this.#byGroup.size === 0
  }

  /** A grant of this user that allows the request. */
  find(access: AccessAttributes, rolesChangedAt: number): Grant | undefined {
    const { name, groups } = access.user
    const own = this.#byUser.get(name)?.find(access, rolesChangedAt)
    if (own !== undefined) return own
    for (const group of groups) {
      const shared = this.#byGroup.get(group)?.find(access, rolesChangedAt)
      if (shared !== undefined) return shared
    }
    return undefined
  }

  /** Every grant of a user. */
  *of({ name, groups }: UserInfo): Iterable<Grant> {
    yield* this.#byUser.get(name)?.grants ?? []
    for (const group of groups) yield* this.#byGroup.get(group)?.grants ?? []
  }
}

function put(map: Map<string, SubjectGrants>, key: string, grant: Grant): () => void {
  const found = map.get(key) ?? new SubjectGrants()
  if (found.grants.size === 0) map.set(key, found)
  found.add(grant)
  return () => {
    found.delete(grant)
    if (found.grants.size === 0 && map.get(key) === found) map.delete(key)
  }
}
