import {
  type AdmissionRequest,
  type ApiObject,
  type Authorizer,
  type Caches,
  isNamespaceRequest,
  namespaceOfRequest,
  type ResourceCatalogue,
  type ServedType,
  type StoreReader,
} from 'orch/sdk'
import { isMeant } from '../matching/matcher.js'
import { ConfigurationError, paramsFor } from '../matching/params.js'
import type { ActiveBinding, ActivePolicy, Candidate } from '../matching/policy-snapshot.js'
import { evaluatePolicy, type PolicyResult } from './evaluate-policy.js'
import { PolicyVariables, RequestObjects } from './policy-variables.js'
import { RequestAuthorizer } from './request-authorizer.js'

/** What policies are evaluated with, beside the request. */
export interface EvaluationServices {
  readonly caches: Caches
  readonly reader: StoreReader
  readonly resources: ResourceCatalogue
  readonly authorizer: Authorizer
}

/** What a policy came to for one binding and one of its parameters; or why it could not even be evaluated. */
export type Finding =
  | {
      readonly policy: ActivePolicy
      readonly binding: ActiveBinding
      readonly result: PolicyResult
      readonly seconds: number
    }
  | { readonly policy: ActivePolicy; readonly binding: ActiveBinding | undefined; readonly problem: string }

/**
 * Evaluates the policies that may concern a request. It never waits: what it would have to wait for is collected, and it is run
 * again then. It has no effect before its findings are used, so that running it twice does no harm.
 */
export class ValidationPass {
  readonly #request: AdmissionRequest
  readonly #services: EvaluationServices
  readonly #authorizer: RequestAuthorizer
  readonly #objects = new Map<ServedType, RequestObjects>()
  /** Undefined until it is known; a request without one has null. */
  #namespace: ApiObject | null | undefined
  #waiting: Promise<unknown>[] = []

  constructor(request: AdmissionRequest, services: EvaluationServices) {
    this.#request = request
    this.#services = services
    this.#authorizer = new RequestAuthorizer(services.authorizer, request)
  }

  /** What has to be there before the findings count; nothing when they do. */
  takeWaiting(): Promise<unknown>[] {
    const taken = [...this.#waiting, ...this.#authorizer.takeWaiting()]
    this.#waiting = []
    return taken
  }

  run(candidates: readonly Candidate[]): Finding[] {
    return candidates.flatMap(candidate => this.#judge(candidate))
  }

  #judge({ policy, match, bindings, needsNamespace }: Candidate): Finding[] {
    const namespace = needsNamespace ? this.#namespaceObject() : null
    if (namespace === undefined || !isMeant(policy.matcher, match, this.#request, namespace ?? undefined)) return []
    const { compiled } = policy
    if ('problem' in compiled) return [{ policy, binding: undefined, problem: compiled.problem }]
    return bindings.flatMap(({ binding, match: ofBinding }): Finding[] => {
      if (binding.matcher && !isMeant(binding.matcher, ofBinding, this.#request, namespace ?? undefined)) return []
      const objects = this.#objectsAs(match.as)
      if (!objects) return []
      try {
        const params = paramsFor(policy.spec.paramKind, binding.spec.paramRef, this.#request, this.#services)
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

  /** Undefined while it is being read. */
  #namespaceObject(): ApiObject | null | undefined {
    if (this.#namespace !== undefined) return this.#namespace
    const found = namespaceOfRequest(this.#request, this.#services)
    if (found instanceof Promise) {
      this.#waiting.push(found.then(read => void (this.#namespace = read)))
      return undefined
    }
    return (this.#namespace = found ?? null)
  }

  /** The objects in this type; undefined while somebody outside converts them. */
  #objectsAs(as: ServedType): RequestObjects | undefined {
    const known = this.#objects.get(as)
    if (known) return known
    const objects = new RequestObjects(this.#request, as)
    const preparing = this.#request.served.prepare(as)
    if (!(preparing instanceof Promise)) {
      this.#objects.set(as, objects)
      return objects
    }
    this.#waiting.push(preparing.then(() => void this.#objects.set(as, objects)))
    return undefined
  }
}

/** A Namespace lives in itself for selectors, but has no namespace of its own in expressions. */
export const isNamespaced = (request: AdmissionRequest) => request.namespace !== '' && !isNamespaceRequest(request)
