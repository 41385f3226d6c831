import type { AccessDecision, UserInfo } from 'orch/sdk'
import { RuleMatcher } from './rule-matcher.js'
import type { PolicyRule, RoleRef, Subject } from './schema.js'
import { describeSubject, identityOf } from './subjects.js'

/** What the index needs to know of a RoleBinding or ClusterRoleBinding. */
export interface Binding {
  readonly metadata: { readonly name?: string; readonly namespace?: string }
  readonly roleRef: RoleRef
  readonly subjects?: readonly Subject[] | null
}

/** A role that bindings point to, whether it exists or not. It is shared, so a changed role touches no binding. */
export class RoleHandle {
  #rules: readonly PolicyRule[] | undefined
  #matcher: RuleMatcher | undefined
  readonly key: string
  /** How to name it when it is missing. */
  readonly description: string
  /** How many bindings point to it. */
  references = 0

  constructor(key: string, description: string) {
    this.key = key
    this.description = description
  }
  get rules(): readonly PolicyRule[] | undefined {
    return this.#rules
  }
  set rules(rules: readonly PolicyRule[] | undefined) {
    this.#rules = rules
    this.#matcher = undefined
  }
  /** Compiled when first asked for; undefined while the role does not exist. */
  get matcher(): RuleMatcher | undefined {
    if (this.#matcher === undefined && this.#rules !== undefined) this.#matcher = new RuleMatcher(this.#rules)
    return this.#matcher
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

/** The grants of one scope (the cluster, or a namespace), found by who is asking. */
export class ScopeGrants {
  readonly #byUser = new Map<string, Set<Grant>>()
  readonly #byGroup = new Map<string, Set<Grant>>()

  /** Adds the grants of a binding; the result takes them away again. */
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

  /** The first grant of this user that `accepts`. */
  find(user: UserInfo, accepts: (grant: Grant) => boolean): Grant | undefined {
    const own = this.#byUser.get(user.name)
    if (own !== undefined) for (const grant of own) if (accepts(grant)) return grant
    for (const group of user.groups) {
      const shared = this.#byGroup.get(group)
      if (shared !== undefined) for (const grant of shared) if (accepts(grant)) return grant
    }
    return undefined
  }
}

function put(map: Map<string, Set<Grant>>, key: string, grant: Grant): () => void {
  const grants = map.get(key) ?? new Set()
  if (grants.size === 0) map.set(key, grants)
  grants.add(grant)
  return () => {
    grants.delete(grant)
    if (grants.size === 0 && map.get(key) === grants) map.delete(key)
  }
}
