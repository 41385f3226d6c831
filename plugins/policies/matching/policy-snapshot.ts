import type { AdmissionRequest, ApiObject } from 'orch/sdk'
import type { CompiledPolicy } from '../compiling/compile-policy.js'
import type { BindingSpec, PolicySpec } from '../policies/schema.js'
import { compileMatcher, compileSelector, type Match, type Matcher, matchKind, type Selects } from './matcher.js'

export type Policy = ApiObject & { readonly spec: PolicySpec }
export type Binding = ApiObject & { readonly spec: BindingSpec }

/** A policy that at least one binding activates. */
export interface ActivePolicy {
  readonly name: string
  readonly spec: PolicySpec
  readonly matcher: Matcher
  readonly bindings: readonly ActiveBinding[]
  readonly isFailureIgnored: boolean
  /** The compiled expressions, or why they do not compile. */
  readonly compiled: CompiledPolicy | { readonly problem: string }
}
export interface ActiveBinding {
  readonly name: string
  readonly spec: BindingSpec
  /** Undefined if the binding does not restrict the policy further. */
  readonly matcher: Matcher | undefined
  /** For a reference to parameters by their labels. */
  readonly selectsParam: Selects
}

/** A policy whose rules match a kind of request, with its matching bindings. */
export interface Candidate {
  readonly policy: ActivePolicy
  readonly match: Match
  readonly bindings: readonly { readonly binding: ActiveBinding; readonly match: Match }[]
  /** Whether matching or evaluation needs the Namespace of the request. */
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
      selectsParam: compileSelector(binding.spec.paramRef?.selector),
    })),
    isFailureIgnored: spec.failurePolicy === 'Ignore',
    compiled,
  }
}

const none: readonly Candidate[] = []

/**
 * All active policies of one kind at one point in time. Rules do not depend on objects, so the candidates for a kind of request
 * are computed once; a request that no policy matches costs one lookup.
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
  // A policy whose parameters do not exist fails every request that it matches, whatever its bindings match.
  if (bindings.length === 0 && !policy.spec.paramKind) return []
  const selects = [policy, ...bindings.map(({ binding }) => binding)].some(({ matcher }) => matcher?.selectsNamespace)
  const uses = 'usesNamespace' in policy.compiled && policy.compiled.usesNamespace
  return [{ policy, match, bindings, needsNamespace: selects || uses }]
}
