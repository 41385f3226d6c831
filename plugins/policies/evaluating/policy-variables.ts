import type { AdmissionRequest, ApiObject, ServedType } from 'orch/sdk'
import { isNamespaceRequest } from 'orch/sdk/admission'
import type { ExpressionAuthorizer } from 'orch/sdk/expressions'

/** The objects of a request in one version, converted on first use. */
export class RequestObjects {
  readonly #request: AdmissionRequest
  readonly as: ServedType
  #object: Readonly<Record<string, unknown>> | null | undefined
  #oldObject: Readonly<Record<string, unknown>> | null | undefined
  #asJson: Record<string, unknown> | undefined
  #asJsonForConditions: Record<string, unknown> | undefined

  constructor(request: AdmissionRequest, as: ServedType) {
    this.#request = request
    this.as = as
  }
  get object(): Readonly<Record<string, unknown>> | null {
    return (this.#object ??= this.#request.served.readable(this.as, 'object'))
  }
  get oldObject(): Readonly<Record<string, unknown>> | null {
    return (this.#oldObject ??= this.#request.served.readable(this.as, 'oldObject'))
  }
  get request(): Record<string, unknown> {
    return (this.#asJson ??= requestJson(this.#request, this.as.kind, this.as.resource))
  }
  /** As match conditions see it: with the resource of the request, although the kind is the one that the rules name. */
  get requestForConditions(): Record<string, unknown> {
    const { requested } = this.#request.served
    if (this.as === requested) return this.request
    return (this.#asJsonForConditions ??= requestJson(this.#request, this.as.kind, requested.resource))
  }
}

/**
 * The variables of one evaluation. Each is computed only if an expression uses it; the values of composed variables are cached
 * per instance.
 */
export class PolicyVariables {
  readonly #objects: RequestObjects
  readonly #namespace: ApiObject | undefined
  readonly #isForConditions: boolean
  readonly params: ApiObject | undefined
  readonly authorizer: ExpressionAuthorizer

  constructor(
    objects: RequestObjects,
    namespace: ApiObject | undefined,
    params: ApiObject | undefined,
    authorizer: ExpressionAuthorizer,
    isForConditions = false,
  ) {
    this.#isForConditions = isForConditions
    this.#objects = objects
    this.#namespace = namespace
    this.params = params
    this.authorizer = authorizer
  }
  /** The same for match conditions, for which `namespaceObject` is always null. */
  forConditions(): PolicyVariables {
    return new PolicyVariables(this.#objects, undefined, this.params, this.authorizer, true)
  }
  get object(): unknown {
    return this.#objects.object
  }
  get oldObject(): unknown {
    return this.#objects.oldObject
  }
  get request(): unknown {
    return this.#isForConditions ? this.#objects.requestForConditions : this.#objects.request
  }
  get namespaceObject(): unknown {
    return this.#namespace
  }
}

/** Variables in the form that `Expression.evaluate` takes. */
export const valuesOf = (variables: PolicyVariables): Readonly<Record<string, unknown>> =>
  variables as unknown as Readonly<Record<string, unknown>>

/** Empty fields are omitted, as in the JSON of an AdmissionReview. */
const filled = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

/** The request in the form of an AdmissionReview, without its objects. */
function requestJson(
  request: AdmissionRequest,
  kind: ServedType['kind'],
  resource: ServedType['resource'],
): Record<string, unknown> {
  const { served, operation, subresource, dryRun, options, user } = request
  const { requested } = served
  const { name: username, uid, groups, extra } = user
  return {
    kind,
    resource,
    requestKind: requested.kind,
    requestResource: requested.resource,
    ...filled({
      subResource: subresource,
      requestSubResource: subresource,
      name: operation === 'delete' ? request.pathName : request.name,
      namespace: isNamespaceRequest(request) ? request.name : request.namespace,
    }),
    operation: operation.toUpperCase(),
    userInfo: { username, uid: uid ?? '', groups, extra: extra ?? {} },
    dryRun,
    options: operation === 'connect' ? null : options,
  }
}
