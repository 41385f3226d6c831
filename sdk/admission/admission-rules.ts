import type { Caches } from '../plugin/caches.js'
import type { StoreReader } from '../plugin/store-reader.js'
import { notFound } from '../resource/api-errors.js'
import { type FieldError, invalidValue, requiredValue } from '../resource/field-errors.js'
import type { ApiObject } from '../resource/meta.js'
import type { AdmissionRequest, ServedType } from './admission.js'

/** The requests that a webhook or policy matches: operations and resources, each a list in which `*` means all. */
export interface AdmissionRule {
  readonly operations?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  readonly resources?: readonly string[]
  readonly scope?: string
}

/** What a rule is compared with: a request under one of the types that serve its objects. */
export interface AdmissionRuleTarget {
  readonly operation: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly isNamespaced: boolean
}

const hasOrAll = (values: readonly string[] | undefined, value: string) =>
  values?.some(each => each === '*' || each === value) ?? false

/** Whether a rule matches a request. */
export function admissionRuleMatches(rule: AdmissionRule, target: AdmissionRuleTarget): boolean {
  return (
    scopeMatches(rule.scope, target.isNamespaced) &&
    hasOrAll(rule.operations, target.operation) &&
    hasOrAll(rule.apiGroups, target.group) &&
    hasOrAll(rule.apiVersions, target.version) &&
    (rule.resources?.some(name => resourceMatches(name, target)) ?? false)
  )
}

const scopeMatches = (scope: string | undefined, isNamespaced: boolean) =>
  scope === 'Namespaced' ? isNamespaced : scope === 'Cluster' ? !isNamespaced : true

/** `*` alone does not include subresources. */
function resourceMatches(name: string, { resource, subresource }: AdmissionRuleTarget): boolean {
  const slash = name.indexOf('/')
  const wantedResource = slash < 0 ? name : name.slice(0, slash)
  const wantedSubresource = slash < 0 ? '' : name.slice(slash + 1)
  return (
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubresource === '*' || wantedSubresource === subresource)
  )
}

/** For webhooks and policies, a Namespace belongs to itself; for rules, it is cluster-scoped. */
export const isNamespaceRequest = ({ group, resource }: Pick<AdmissionRequest, 'group' | 'resource'>): boolean =>
  group === '' && resource === 'namespaces'

/** A request under one of the types that serve its objects. */
export const admissionRuleTarget = (request: AdmissionRequest, as: ServedType): AdmissionRuleTarget => ({
  ...as.resource,
  operation: request.operation.toUpperCase(),
  subresource: request.subresource,
  isNamespaced: request.namespace !== '' && !isNamespaceRequest(request),
})

const namespaceCollection = { group: '', resource: 'namespaces' }

/**
 * The namespace of a request; undefined if it has none. For a write to a Namespace, it is the new state. Read from the
 * store if it is not in the cache yet; throws a 404 if it does not exist.
 */
export function namespaceOfRequest(
  request: AdmissionRequest,
  { caches, reader }: { readonly caches: Caches; readonly reader: StoreReader },
): ApiObject | undefined | Promise<ApiObject> {
  const isNamespace = isNamespaceRequest(request)
  if (isNamespace && request.subresource === '' && request.object) return request.object
  const name = isNamespace ? request.name : request.namespace
  if (name === '') return undefined
  return caches.of(namespaceCollection).get('', name) ?? readNamespace(reader, name)
}

async function readNamespace(reader: StoreReader, name: string): Promise<ApiObject> {
  const found = await reader.get(namespaceCollection, '', name)
  if (!found) throw notFound({ ...namespaceCollection, name })
  return found
}

const hasOthersBesideWildcard = (values: readonly string[]) => values.length > 1 && values.includes('*')

/** The errors of a rule. */
export function validateAdmissionRule(rule: AdmissionRule, path: string): FieldError[] {
  const { operations: wanted = [], apiGroups = [], apiVersions = [], resources = [] } = rule
  return [
    ...validateList(wanted, `${path}.operations`, 'operations'),
    ...validateList(apiGroups, `${path}.apiGroups`, 'API groups'),
    ...validateList(apiVersions, `${path}.apiVersions`, 'API versions'),
    ...apiVersions.flatMap((version, i) => (version === '' ? [requiredValue(`${path}.apiVersions[${i}]`)] : [])),
    ...validateResources(resources, `${path}.resources`),
  ]
}

function validateList(values: readonly string[], path: string, what: string): FieldError[] {
  if (values.length === 0) return [requiredValue(path)]
  if (!hasOthersBesideWildcard(values)) return []
  return [invalidValue(path, values, `if '*' is present, must not specify other ${what}`)]
}

// `pods`, `pods/status`, `pods/*`, any resource with `/status`, `*` (all, without subresources), `*/*` (all of both).
function validateResources(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [requiredValue(path)]
  const errors: FieldError[] = []
  const coveredResources = new Set<string>()
  const coveredSubresources = new Set<string>()
  // As in the reference, the last resource without a subresource decides.
  let lastPlain = '*'
  for (const [i, name] of resources.entries()) {
    const at = `${path}[${i}]`
    if (name === '') {
      errors.push(requiredValue(at))
      continue
    }
    const slash = name.indexOf('/')
    if (slash < 0) {
      lastPlain = name
      continue
    }
    const [resource, subresource] = [name.slice(0, slash), name.slice(slash + 1)]
    if (coveredResources.has(resource))
      errors.push(invalidValue(at, name, `if '${resource}/*' is present, must not specify ${name}`))
    if (coveredSubresources.has(subresource))
      errors.push(invalidValue(at, name, `if '*/${subresource}' is present, must not specify ${name}`))
    if (subresource === '*') coveredResources.add(resource)
    if (resource === '*') coveredSubresources.add(subresource)
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"))
  if (resources.includes('*') && lastPlain !== '*')
    errors.push(
      invalidValue(path, resources, "if '*' is present, must not specify other resources without subresources"),
    )
  return errors
}
