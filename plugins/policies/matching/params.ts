import type { AdmissionRequest, ApiObject, Caches, ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import { isNamespaceRequest } from 'orch/sdk/admission'
import type { ParamKind } from '../policies/schema.js'
import type { ActiveBinding } from './policy-snapshot.js'

/** A policy or binding that is misconfigured and cannot be evaluated. */
export class ConfigurationError extends Error {}

export interface ParamLookup {
  readonly caches: Caches
  readonly resources: ResourceCatalogue
}

const withoutParams: readonly undefined[] = [undefined]

/** The type of a policy's parameters; a string says why they have none. Undefined for a policy without parameters. */
export function typeOfParams(
  kind: ParamKind | undefined,
  { resources }: ParamLookup,
): ResourceInfo | string | undefined {
  if (!kind) return undefined
  const { apiVersion = '', kind: kindName = '' } = kind
  const slash = apiVersion.indexOf('/')
  const info = resources.findKind(slash < 0 ? '' : apiVersion.slice(0, slash), kindName)
  if (info?.servedVersions.includes(apiVersion.slice(slash + 1))) return info
  return `failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kindName}'`
}

/** The parameters of a binding. The policy is evaluated once for each. Throws a ConfigurationError. */
export function paramsFor(
  kind: ParamKind | undefined,
  info: ResourceInfo | undefined,
  { spec: { paramRef: ref }, selectsParam }: ActiveBinding,
  request: AdmissionRequest,
  lookup: ParamLookup,
): readonly (ApiObject | undefined)[] {
  if (!kind || !info || !ref) return withoutParams
  const { apiVersion = '', kind: kindName = '' } = kind
  if (!info.namespaced && ref.namespace)
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`')
  const namespace = info.namespaced ? ref.namespace || namespaceOf(request) : ''
  if (info.namespaced && namespace === '')
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    )
  const cache = lookup.caches.of({ group: info.group, resource: info.resource })
  let found: readonly ApiObject[]
  if (ref.name) {
    const one = cache.get(namespace, ref.name)
    found = one ? [one] : []
  } else {
    const all = cache.list(info.namespaced ? namespace : undefined)
    found = selectsParam ? all.filter(({ metadata }) => selectsParam(metadata.labels)) : all
  }
  if (found.length === 0 && ref.parameterNotFoundAction !== 'Allow')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction')
  return found.map(param => named(param, apiVersion, kindName))
}

/** A Namespace counts as an object in itself. */
const namespaceOf = (request: AdmissionRequest) => (isNamespaceRequest(request) ? request.name : request.namespace)

const withNames = new WeakMap<ApiObject, ApiObject>()
/** Cached objects have no apiVersion and kind; this adds them. */
function named(param: ApiObject, apiVersion: string, kind: string): ApiObject {
  let found = withNames.get(param)
  if (found?.apiVersion !== apiVersion || found.kind !== kind)
    withNames.set(param, (found = { ...param, apiVersion, kind }))
  return found
}
