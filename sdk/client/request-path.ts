import { badRequest } from '../resource/api-errors.js'
import type { ListOptions, WatchOptions, WriteOptions } from './client.js'

/** The segment before the name of a namespace in paths. */
export const namespacesSegment = 'namespaces'

/** The location of a collection or object. */
export interface Location {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
}

/** Why a text cannot be one segment of a path, because it would change the path; undefined when it can. */
export function segmentProblem(step: string): string | undefined {
  if (step === '') return 'may not be empty'
  if (step === '.' || step === '..') return `may not be '${step}'`
  const character = ['/', '%'].find(each => step.includes(each))
  return character === undefined ? undefined : `may not contain '${character}'`
}
function checkSegment(what: string, step: string): void {
  const problem = segmentProblem(step)
  if (problem !== undefined) throw badRequest(`invalid ${what} ${JSON.stringify(step)}: ${problem}`)
}

/** The path of a collection, an object or its subresource. Throws a 400 for a name that would change the path. */
export function pathOf({ group, version, resource, namespace, name, subresource }: Location): string {
  if (group !== '') checkSegment('group', group)
  checkSegment('version', version)
  checkSegment('resource', resource)
  if (namespace) checkSegment('namespace', namespace)
  if (name !== undefined) checkSegment('resource name', name)
  const root = group === '' ? ['api', version] : ['apis', group, version]
  const parts = [
    ...root,
    ...(namespace ? [namespacesSegment, namespace] : []),
    resource,
    ...(name === undefined ? [] : [name]),
    ...(subresource ? segmentsOf(subresource) : []),
  ]
  return `/${parts.map(encodeURIComponent).join('/')}`
}

function segmentsOf(subresource: string): string[] {
  const steps = subresource.split('/')
  for (const step of steps) checkSegment('subresource', step)
  return steps
}

type QueryValue = string | number | boolean | undefined
/** Adds a query to a path; values that are undefined, false or empty are left out. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== false && value !== '')
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** The query of a write. */
export const writeQuery = ({ dryRun, fieldManager, fieldValidation }: WriteOptions): Record<string, QueryValue> => ({
  dryRun: dryRun ? 'All' : undefined,
  fieldManager,
  fieldValidation,
})

/** The query of a list. */
export const listQuery = (options: ListOptions): Record<string, QueryValue> => ({
  labelSelector: options.labelSelector,
  fieldSelector: options.fieldSelector,
  limit: options.limit,
  continue: options.continue,
  resourceVersion: options.resourceVersion,
  resourceVersionMatch: options.resourceVersionMatch,
})

/** The Accept header of a list or watch. */
export const acceptHeader = (kind: string, { metadataOnly: group }: ListOptions): Record<string, string> =>
  group === undefined ? {} : { accept: `application/json;as=${kind};g=${group};v=v1` }

/** The query of a watch. */
export const watchQuery = (options: WatchOptions): Record<string, QueryValue> => ({
  watch: true,
  ...listQuery(options),
  timeoutSeconds: options.timeoutSeconds,
  allowWatchBookmarks: options.allowWatchBookmarks,
})
