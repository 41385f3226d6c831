import {
  type AdmissionRequest,
  type ApiObject,
  type Authorizer,
  type Caches,
  isPromise,
  type ResourceCatalogue,
  type ServedType,
  type StoreReader,
} from 'orch/sdk'
import { isNamespaceRequest, namespaceOfRequest } from 'orch/sdk/admission'
import { matchesObject } from '../matching/matcher.js'
import { ConfigurationError, paramsFor, typeOfParams } from '../matching/params.js'
import type { ActiveBinding, ActivePolicy, Candidate } from '../matching/policy-snapshot.js'
import { evaluatePolicy, type PolicyResult } from './evaluate-policy.js'
import { PolicyVariables, RequestObjects } from './policy-variables.js'
import { RequestAuthorizer } from './request-authorizer.js'

/** The services that evaluation needs. */
export interface EvaluationServices {
  readonly caches: Caches
  readonly reader: StoreReader
  readonly resources: ResourceCatalogue
  readonly authorizer: Authorizer
}

/** The result of a policy for one binding and one parameter, or the reason why it could not be evaluated. */
export type Finding =
  | {
      readonly policy: ActivePolicy
      readonly binding: ActiveBinding
      readonly result: PolicyResult
      readonly seconds: number
    }
  | { readonly policy: ActivePolicy; readonly binding: ActiveBinding | undefined; readonly problem: string }

/**
 * Evaluates the candidate policies of a request synchronously. Lookups that are pending are collected; once they complete, the
 * pass is run again. A pass has no side effects, so it can be repeated.
 */
export class ValidationPass {
  readonly #request: AdmissionRequest
  readonly #services: EvaluationServices
  readonly #authorizer: RequestAuthorizer
  readonly #objects = new Map<ServedType, RequestObjects>()
  /** Undefined until it has been read; null if the request has no namespace. */
  #namespace: ApiObject | null | undefined
  #pending: Promise<unknown>[] = []

  constructor(request: AdmissionRequest, services: EvaluationServices) {
    this.#request = request
    this.#services = services
    this.#authorizer = new RequestAuthorizer(services.authorizer, request)
  }

  /** Takes the pending lookups. If there are none, the findings are final. */
  takePending(): Promise<unknown>[] {
    const taken = [...this.#pending, ...this.#authorizer.takePending()]
    this.#pending = []
    return taken
  }

  run(candidates: readonly Candidate[]): Finding[] {
    return candidates.flatMap(candidate => this.#evaluate(candidate))
  }

  #evaluate({ policy, match, bindings, needsNamespace }: Candidate): Finding[] {
    const namespace = needsNamespace ? this.#namespaceObject() : null
    if (namespace === undefined || !matchesObject(policy.matcher, match, this.#request, namespace ?? undefined))
      return []
    const { compiled } = policy
    if ('problem' in compiled) return [{ policy, binding: undefined, problem: compiled.problem }]
    const paramType = typeOfParams(policy.spec.paramKind, this.#services)
    if (typeof paramType === 'string') return [{ policy, binding: undefined, problem: paramType }]
    return bindings.flatMap(({ binding, match: ofBinding }): Finding[] => {
      if (binding.matcher && !matchesObject(binding.matcher, ofBinding, this.#request, namespace ?? undefined))
        return []
      const objects = this.#objectsAs(match.as)
      if (!objects) return []
      try {
        const params = paramsFor(policy.spec.paramKind, paramType, binding, this.#request, this.#services)
        return params.map(param => {
          const startedAt = performance.now()
          const shownNamespace = isNamespaced(this.#request) ? (namespace ?? undefined) : undefined
          const variables = new PolicyVariables(objects, shownNamespace, param, this.#authorizer)
          const result = evaluatePolicy(compiled, variables, policy.isFailureIgnored)
          return { policy, binding, result, seconds: (performance.now() - startedAt) / 1000 }
        })
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        return [{ policy, binding, problem: error.message }]
      }
    })
  }

  /** Undefined while the Namespace is being read. */
  #namespaceObject(): ApiObject | null | undefined {
    if (this.#namespace !== undefined) return this.#namespace
    const found = namespaceOfRequest(this.#request, this.#services)
    if (isPromise(found)) {
      this.#pending.push(found.then(read => void (this.#namespace = read)))
      return undefined
    }
    return (this.#namespace = found ?? null)
  }

  /** The objects in this version; undefined while a webhook converts them. */
  #objectsAs(as: ServedType): RequestObjects | undefined {
    const known = this.#objects.get(as)
    if (known) return known
    const objects = new RequestObjects(this.#request, as)
    const preparing = this.#request.served.prepare(as)
    if (!isPromise(preparing)) {
      this.#objects.set(as, objects)
      return objects
    }
    this.#pending.push(preparing.then(() => void this.#objects.set(as, objects)))
    return undefined
  }
}

/** For selectors a Namespace counts as an object in itself, but expressions see no `namespaceObject` for it. */
export const isNamespaced = (request: AdmissionRequest) => request.namespace !== '' && !isNamespaceRequest(request)
