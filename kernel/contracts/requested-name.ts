import { nameIsPathSegment } from 'orch/sdk'
import { parseFieldSelector } from 'orch/sdk/host'
import type { RequestInfo } from './request-info.js'

/** The object a request is about. A list or watch of one object by field selector counts as a request for that object. */
export function requestedName({ name, verb, query }: RequestInfo): string {
  if (name !== '' || (verb !== 'list' && verb !== 'watch')) return name
  const selector = query.size === 0 ? null : query.get('fieldSelector')
  if (!selector?.includes('metadata.name')) return ''
  try {
    const named = parseFieldSelector(selector).find(
      ({ field, operator }) => field === 'metadata.name' && operator === '=',
    )
    return named && nameIsPathSegment(named.value, false).length === 0 ? named.value : ''
  } catch {
    // An invalid selector is reported to users who may list.
    return ''
  }
}
