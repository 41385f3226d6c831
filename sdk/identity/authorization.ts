import type { Needs, Resolved } from '../plugin/service-token.js'
import type { FieldRequirement } from '../validation/field-selectors.js'
import type { Requirement } from '../validation/selectors.js'
import type { UserInfo } from './user.js'

/** The access to authorize: to a resource, or to a path outside the resource API. */
export type AccessAttributes = ResourceAccess | PathAccess

/** Access to objects. */
export interface ResourceAccess {
  readonly user: UserInfo
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /**
   * What a list, watch or deletecollection selects: all of it must hold. Missing when there is no selector, or none that could
   * be read. An authorizer may allow more than it would without them, never less.
   */
  readonly fieldSelector?: readonly FieldRequirement[]
  readonly labelSelector?: readonly Requirement[]
  readonly path?: undefined
}
/** Access to a path outside the resource API. */
export interface PathAccess {
  readonly user: UserInfo
  readonly verb: string
  readonly path: string
}

/** The answer of one authorizer: yes, no, or no opinion, and why. */
export interface AccessDecision {
  readonly decision: 'allow' | 'deny' | 'noOpinion'
  readonly reason?: string
  /** Set when the decision could not be evaluated completely. */
  readonly evaluationError?: string
}

/** A rule for objects. */
export interface ResourceRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}
/** A rule for paths outside the resource API. */
export interface NonResourceRule {
  readonly verbs: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}
/** Everything a user may do in a namespace, as far as an authorizer can enumerate it. */
export interface RulesOfUser {
  readonly resourceRules: readonly ResourceRule[]
  readonly nonResourceRules: readonly NonResourceRule[]
  readonly incomplete: boolean
  readonly evaluationError?: string
}

/** An authorization mode. See `defineAuthorizer`. */
export interface AuthorizerDefinition<N extends Needs = Needs> {
  /** The name used in `--authorization-mode`. */
  readonly mode: string
  /** For an authorizer that combines several modes: their names, which the chain lists instead of its own. */
  readonly standsFor?: readonly string[]
  /** Does it know the roles that control loops declare? Where no mode does, loops may do everything. */
  readonly knowsLoopRoles?: boolean
  readonly needs?: N
  /** Answer synchronously whenever possible: this runs on every request. */
  authorize(access: AccessAttributes, services: Resolved<N>): AccessDecision | Promise<AccessDecision>
  rulesFor?(user: UserInfo, namespace: string, services: Resolved<N>): RulesOfUser | Promise<RulesOfUser>
}

/** Declares an authorization mode. */
export const defineAuthorizer = <const N extends Needs = Record<never, never>>(
  definition: AuthorizerDefinition<N>,
): AuthorizerDefinition<N> => definition

/** The chain of authorizers: the first opinion counts; none is a refusal. */
export interface Authorizer {
  /** Names of the modes, in the order they are asked. */
  readonly modes: readonly string[]
  authorize(access: AccessAttributes): AccessDecision | Promise<AccessDecision>
  rulesFor(user: UserInfo, namespace: string): Promise<RulesOfUser>
  /** True only when the chain says allow. Missing parts of the access default to empty. */
  allows(user: UserInfo, verb: string, target: Partial<Omit<ResourceAccess, 'user' | 'verb'>>): Promise<boolean>
}
