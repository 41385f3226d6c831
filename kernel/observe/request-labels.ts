import type { Exchange } from '../contracts/exchange.js'
import type { RequestInfo } from '../contracts/request-info.js'

/** The parts of a request that metrics use. */
export interface MeasuredRequest {
  readonly info: RequestInfo
  readonly exchange: Pick<Exchange, 'headers' | 'onClose'>
}

/** The labels of requests, with the names and values that dashboards for Kubernetes expect. */
export interface RequestLabels {
  readonly verb: string
  readonly dry_run: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly scope: string
  readonly component: string
}
export const requestLabelNames = [
  'verb',
  'dry_run',
  'group',
  'version',
  'resource',
  'subresource',
  'scope',
  'component',
] as const satisfies (keyof RequestLabels)[]

const reportedVerbs = new Map([
  ['get', 'GET'],
  ['head', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['post', 'POST'],
  ['update', 'PUT'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETE'],
])

/** The method, except that list, watch and apply have names of their own. */
function reportedVerb({ info, exchange }: MeasuredRequest): string {
  const verb = reportedVerbs.get(info.verb) ?? 'other'
  if (verb !== 'PATCH') return verb
  return exchange.headers['content-type']?.startsWith('application/apply-patch+yaml') ? 'APPLY' : verb
}

/** The scope of a request: one object, a namespace, or the cluster. */
function scopeOf({ isResource, verb, name, namespace }: RequestInfo): string {
  if (!isResource) return ''
  if (name !== '' || verb === 'create') return 'resource'
  return namespace !== '' ? 'namespace' : 'cluster'
}

function dryRunOf({ query }: RequestInfo): string {
  if (query.size === 0) return ''
  const values = query.getAll('dryRun').filter(value => value !== '')
  return values.every(value => value === 'All') ? (values[0] ?? '') : 'invalid'
}

const healthPaths = new Set(['/healthz', '/livez', '/readyz'])
const healthPathOf = ({ path }: RequestInfo): string => (healthPaths.has(path) ? path : '')

/** The key of a set of labels. The number of keys for unknown paths is bounded. */
export function labelsKey(request: MeasuredRequest): string {
  const { info } = request
  const verb = reportedVerb(request)
  if (!info.isResource) return `${verb} ${healthPathOf(info)}`
  const { group, version, resource, subresource } = info
  return `${verb} ${group}/${version}/${resource}/${subresource} ${scopeOf(info)} ${dryRunOf(info)}`
}

/** Unknown paths share one set of labels per verb. */
export function labelsOf(request: MeasuredRequest, isServed: boolean): RequestLabels {
  const { info } = request
  const verb = reportedVerb(request)
  if (!isServed) {
    const subresource = healthPathOf(info)
    return { verb, dry_run: '', group: '', version: '', resource: '', subresource, scope: '', component: '' }
  }
  const { group, version, resource, subresource } = info
  const scope = scopeOf(info)
  return { verb, dry_run: dryRunOf(info), group, version, resource, subresource, scope, component: 'apiserver' }
}
