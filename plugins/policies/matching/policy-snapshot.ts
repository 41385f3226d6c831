import type { AdmissionRequest, ApiObject } from 'orch/sdk'
import type { CompiledPolicy } from '../compiling/compile-policy.js'
import type { BindingSpec, PolicySpec } from '../policies/schema.js'
import { compileMatcher, type Match, type Matcher, matchKind } from './matcher.js'

export type Policy = ApiObject & { readonly spec: PolicySpec }
export type Binding = ApiObject & { readonly spec: BindingSpec }

/** A policy in force. */
export interface ActivePolicy {
  readonly name: string
  readonly spec: PolicySpec
  readonly matcher: Matcher
  readonly bindings: readonly ActiveBinding[]
  readonly isFailureIgnored: boolean
  /** Its expressions, or why they do not compile. */
  readonly compiled: CompiledPolicy | { readonly problem: string }
}
export interface ActiveBinding {
  readonly name: string
  readonly spec: BindingSpec
  /** Undefined when it is about everything that the policy is about. */
  readonly matcher: Matcher | undefined
}

/** A policy that a kind of request may concern, with those of its bindings that do. */
export interface Candidate {
  readonly policy: ActivePolicy
  readonly match: Match
  readonly bindings: readonly { readonly binding: ActiveBinding; readonly match: Match }[]
  /** Can nothing be decided without the namespace of the request? */
  readonly needsNamespace: boolean
}

export function activePolicy(
  policy: Policy,
  bindings: readonly Binding[],
  compiled: ActivePolicy['compiled'],
): ActivePolicy {
  const { spec } = policy
  return {
    name: policy.metadata.name ?? '',
    spec,
    matcher: compileMatcher(spec.matchConstraints ?? {}),
    bindings: bindings.map(binding => ({
      name: binding.metadata.name ?? '',
      spec: binding.spec,
      matcher: binding.spec.matchResources && compileMatcher(binding.spec.matchResources),
    })),
    isFailureIgnored: spec.failurePolicy === 'Ignore',
    compiled,
  }
}

const none: readonly Candidate[] = []

/**
 * All policies of one kind at one moment. Rules do not look at objects, so which policies a kind of request concerns is worked
 * out once; a request that no policy is about costs one lookup.
 */
export class PolicySnapshot {
  readonly policies: readonly ActivePolicy[]
  readonly #byRequest = new Map<string, readonly Candidate[]>()

  constructor(policies: readonly ActivePolicy[]) {
    this.policies = policies
  }

  candidates(request: AdmissionRequest): readonly Candidate[] {
    if (this.policies.length === 0) return none
    const { operation, group, requestVersion, resource, subresource, namespace } = request
    const id = `${operation} ${group}/${requestVersion}/${resource}/${subresource} ${namespace === '' ? 'c' : 'n'}`
    let found = this.#byRequest.get(id)
    if (!found) this.#byRequest.set(id, (found = this.policies.flatMap(policy => candidateOf(policy, request))))
    return found
  }
}

function candidateOf(policy: ActivePolicy, request: AdmissionRequest): Candidate[] {
  const match = matchKind(policy.matcher, request)
  if (!match) return []
  const everything: Match = { ...match, names: undefined, excludedNames: new Set() }
  const bindings = policy.bindings.flatMap(binding => {
    const found = binding.matcher ? matchKind(binding.matcher, request) : everything
    return found ? [{ binding, match: found }] : []
  })
  if (bindings.length === 0) return []
  const selects = [policy, ...bindings.map(({ binding }) => binding)].some(({ matcher }) => matcher?.selectsNamespace)
  const uses = 'usesNamespace' in policy.compiled && policy.compiled.usesNamespace
  return [{ policy, match, bindings, needsNamespace: selects || uses }]
}
