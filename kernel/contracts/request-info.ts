import { namespacesSegment } from 'orch/sdk/host'
import { nameIsPathSegment, parseFieldSelector, parseLabelSelector } from 'orch/sdk/validation'

/** What the URL and method of a request refer to, whether or not it exists. Authorization and serving use only this. */
export interface RequestInfo {
  readonly isResource: boolean
  readonly path: string
  readonly query: URLSearchParams
  /** For resources: get, list, watch, create, update, patch, delete, deletecollection. Otherwise the method in lower case. */
  readonly verb: string
  readonly group: string
  readonly version: string
  /** The namespace of the object. A Namespace itself is in none. */
  readonly namespace: string
  /** The namespace that authorization checks: that of the object, or the Namespace that is the object. */
  readonly accessNamespace: string
  /** True below `/namespaces/NAME/`, where only namespaced types have paths. */
  readonly isBelowNamespace: boolean
  readonly resource: string
  readonly name: string
  readonly subresource: string
  /** True when nothing can be served at this path: it is deeper than a subresource, or has an empty segment or an encoded slash. */
  readonly isUnroutable: boolean
  /** The path after the subresource, if that is the only reason why the path is too deep: some subresources proxy it. */
  readonly proxyPath?: string
}

const emptyQuery = new URLSearchParams()
const verbOfMethod: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** True unless the value is absent, `false` or `0`: how this API reads boolean parameters. */
export function isTrueParameter(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value !== null && value !== '0' && value.toLowerCase() !== 'false'
}

/** Segments of the longest path that is served, `/apis/GROUP/VERSION/watch/namespaces/NAME/RESOURCE/NAME/SUBRESOURCE`, plus one. */
const maxParts = 11

/** Parses a request line. Returns undefined when the path is not valid percent-encoding. */
export function parseRequestInfo(method: string, url: string): RequestInfo | undefined {
  const mark = url.indexOf('?')
  const rawPath = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? emptyQuery : new URLSearchParams(url.slice(mark + 1))
  const path = rawPath.includes('%') ? decodePath(rawPath) : rawPath
  if (path === undefined) return undefined
  const parts = withoutSlashesAtEnd(path).split('/', maxParts)
  const root = parts[1]
  const start = root === 'api' ? 3 : root === 'apis' ? 4 : -1
  const inner = path === rawPath ? -1 : rawPath.search(/%2f/i)
  if (start < 0 || parts.length <= start) return nonResource(method, path, query, inner >= 0)
  return resourceInfo(method, path, query, parts, start, inner < 0 ? undefined : rawPath.slice(0, inner))
}

function decodePath(rawPath: string): string | undefined {
  try {
    return decodeURIComponent(rawPath)
  } catch {
    return undefined
  }
}

/** Trailing slashes are ignored. */
export function withoutSlashesAtEnd(path: string): string {
  let end = path.length
  while (end > 0 && path.charCodeAt(end - 1) === slash) end--
  return end === path.length ? path : path.slice(0, end)
}
const slash = 0x2f

function nonResource(method: string, path: string, query: URLSearchParams, isUnroutable: boolean): RequestInfo {
  return {
    isResource: false,
    path,
    query,
    verb: method.toLowerCase(),
    group: '',
    version: '',
    namespace: '',
    accessNamespace: '',
    isBelowNamespace: false,
    resource: '',
    name: '',
    subresource: '',
    isUnroutable,
  }
}

/** Subresources of the namespace object itself; any other third part is a collection inside the namespace. */
const namespaceSubresources = new Set(['status', 'finalize'])

function resourceInfo(
  method: string,
  path: string,
  query: URLSearchParams,
  parts: string[],
  start: number,
  /** The path before the first encoded slash; undefined when there is none. */
  beforeInnerSlash: string | undefined,
): RequestInfo {
  const group = start === 3 ? '' : (parts[2] as string)
  const version = parts[start - 1] as string
  let at = start
  let verb = verbOfMethod[method] ?? ''
  let isDeprecatedWatch = false
  if (parts[at] === 'watch' && (method === 'GET' || method === 'HEAD') && parts.length > at + 1) {
    isDeprecatedWatch = true
    at++
  }
  let namespace = ''
  let accessNamespace = ''
  let isBelowNamespace = false
  if (parts[at] === namespacesSegment && parts.length > at + 1) {
    const after = parts[at + 2]
    isBelowNamespace = after !== undefined && !namespaceSubresources.has(after)
    // Only the core group has Namespaces; a resource of that name in another group is not one.
    if (isBelowNamespace || group === '') accessNamespace = parts[at + 1] as string
    if (isBelowNamespace) {
      namespace = accessNamespace
      at += 2
    }
  }
  const resource = parts[at] ?? ''
  const name = parts[at + 1] ?? ''
  const subresource = parts[at + 2] ?? ''
  if (verb === 'get' && (isDeprecatedWatch || isTrueParameter(query, 'watch'))) verb = 'watch'
  else if (name === '' && verb === 'get') verb = 'list'
  else if (name === '' && verb === 'delete') verb = 'deletecollection'
  if (subresource !== '' && verb === 'watch') verb = 'get'
  const isDeeper = parts.length > at + 3
  const emptyAt = isBelowNamespace ? at - 1 : -1
  const isUnroutable =
    isDeeper ||
    (isDeprecatedWatch && subresource !== '') ||
    beforeInnerSlash !== undefined ||
    hasEmptySegment(parts, parts.length, emptyAt)
  const hasValidPrefix = isDeeper && !isDeprecatedWatch && !hasEmptySegment(parts, at + 3, emptyAt)
  const hasProxyPath = hasValidPrefix && (beforeInnerSlash === undefined || beforeInnerSlash.split('/').length > at + 3)
  return {
    isResource: true,
    path,
    query,
    verb,
    group,
    version,
    namespace,
    accessNamespace,
    isBelowNamespace,
    resource,
    name,
    subresource,
    isUnroutable,
    ...(hasProxyPath ? { proxyPath: pathFrom(path, at + 3) } : {}),
  }
}

const pathFrom = (path: string, segment: number): string => `/${path.split('/').slice(segment).join('/')}`

/** Empty segments are not routable, except that an empty namespace means all of them, as in Kubernetes. */
function hasEmptySegment(parts: readonly string[], end: number, namespaceAt: number): boolean {
  for (let at = 1; at < end; at++) if (parts[at] === '' && at !== namespaceAt) return true
  return false
}

/**
 * The object a request is about. A list or watch of one object by field selector counts as a request for that object, if its parameters
 * can be read.
 */
export function requestedName({ name, verb, query }: RequestInfo): string {
  if (name !== '' || (verb !== 'list' && verb !== 'watch')) return name
  const selector = query.size === 0 ? null : query.get('fieldSelector')
  if (!selector?.includes('metadata.name')) return ''
  const isNumber = (parameter: string) => /^[+-]?\d+$/.test(query.get(parameter) ?? '0')
  if (!isNumber('limit') || !isNumber('timeoutSeconds')) return ''
  try {
    parseLabelSelector(query.get('labelSelector') ?? '')
    const named = parseFieldSelector(selector).find(
      ({ field, operator }) => field === 'metadata.name' && operator === '=',
    )
    return named && nameIsPathSegment(named.value, false).length === 0 ? named.value : ''
  } catch {
    // An invalid selector is reported to users who may list.
    return ''
  }
}
