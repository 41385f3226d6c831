import type { Exchange } from '../contracts/exchange.js'
import type { RequestInfo } from '../contracts/request-info.js'

/** What the metrics look at in a request. */
export interface MeasuredRequest {
  readonly info: RequestInfo
  readonly exchange: Pick<Exchange, 'headers' | 'onClose'>
}

/** By what requests are counted. The names and values are those that dashboards for this kind of API ask for. */
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

/** The method, except that reading many, watching and applying have words of their own. */
function reportedVerb({ info, exchange }: MeasuredRequest): string {
  const verb = reportedVerbs.get(info.verb) ?? 'other'
  if (verb !== 'PATCH') return verb
  return exchange.headers['content-type']?.startsWith('application/apply-patch+yaml') ? 'APPLY' : verb
}

/** How many objects a request may concern: one, those of a namespace, or all. */
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

/** What tells the labels of requests apart. There are only so many for paths that lead to no resource. */
export function labelsKey(request: MeasuredRequest): string {
  const { info } = request
  const verb = reportedVerb(request)
  if (!info.isResource) return `${verb} ${healthPathOf(info)}`
  const { group, version, resource, subresource } = info
  return `${verb} ${group}/${version}/${resource}/${subresource} ${scopeOf(info)} ${dryRunOf(info)}`
}

/** Paths that anybody makes up share one set of labels per verb. */
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
