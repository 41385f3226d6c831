/** What a URL and a method ask for, before anybody looks whether it exists. */
export interface RequestInfo {
  readonly isResource: boolean
  readonly path: string
  readonly query: URLSearchParams
  /** For resources: get, list, watch, create, update, patch, delete, deletecollection. Otherwise the method in lower case. */
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly namespace: string
  readonly resource: string
  readonly name: string
  readonly subresource: string
  /** True when the path has more parts than resource, name and subresource. */
  readonly isTooDeep: boolean
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

/** True unless the value is absent, `false` or `0`: the way this API reads boolean parameters. */
export function isTrueParameter(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value !== null && value !== '0' && value.toLowerCase() !== 'false'
}

/** Parses a request line. Returns undefined when the path is not valid percent-encoding. */
export function parseRequestInfo(method: string, url: string): RequestInfo | undefined {
  const mark = url.indexOf('?')
  const rawPath = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? emptyQuery : new URLSearchParams(url.slice(mark + 1))
  const path = rawPath.includes('%') ? decodePath(rawPath) : rawPath
  if (path === undefined) return undefined
  const parts = path.split('/')
  // A leading slash gives an empty first part, a trailing one an empty last part.
  if (parts[parts.length - 1] === '') parts.pop()
  const root = parts[1]
  const start = root === 'api' ? 3 : root === 'apis' ? 4 : -1
  if (start < 0 || parts.length <= start) return nonResource(method, path, query)
  return resourceInfo(method, path, query, parts, start)
}

function decodePath(rawPath: string): string | undefined {
  try {
    return decodeURIComponent(rawPath)
  } catch {
    return undefined
  }
}

function nonResource(method: string, path: string, query: URLSearchParams): RequestInfo {
  return {
    isResource: false,
    path,
    query,
    verb: method.toLowerCase(),
    group: '',
    version: '',
    namespace: '',
    resource: '',
    name: '',
    subresource: '',
    isTooDeep: false,
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
): RequestInfo | undefined {
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
  if (parts[at] === 'namespaces' && parts.length > at + 2 && !namespaceSubresources.has(parts[at + 2] as string)) {
    namespace = parts[at + 1] as string
    at += 2
  } else if (parts[at] === 'namespaces' && parts.length > at + 1) {
    namespace = parts[at + 1] as string
  }
  const resource = parts[at] ?? ''
  const name = parts[at + 1] ?? ''
  const subresource = parts[at + 2] ?? ''
  if (verb === 'get' && (isDeprecatedWatch || isTrueParameter(query, 'watch'))) verb = 'watch'
  else if (name === '' && verb === 'get') verb = 'list'
  else if (name === '' && verb === 'delete') verb = 'deletecollection'
  if (subresource !== '' && verb === 'watch') verb = 'get'
  return {
    isResource: true,
    path,
    query,
    verb,
    group,
    version,
    namespace,
    resource,
    name,
    subresource,
    isTooDeep: parts.length > at + 3,
  }
}
