import { isObject, valueAt } from '../golden/json-paths.js'
import type { Observation } from '../golden/observation.js'
import type { Step } from '../golden/scenario.js'
import type { Disagreement } from './converse.js'
import type { Difference } from './differences.js'

/** `pods`, `deployments/scale`: the type and subresource that a request is about. */
export function resourceOf({ path = '' }: Step): string {
  const parts = (path.split('?')[0] ?? '').split('/').filter(part => part !== '')
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3)
  if (rest[0] === 'namespaces' && rest.length > 2) rest.splice(0, 2)
  const group = parts[0] === 'apis' ? `${parts[1]}/` : ''
  const [resource = '', , subresource] = rest
  return `${group}${resource}${subresource === undefined ? '' : `/${subresource}`}`
}

/** `POST`, `PATCH merge`, `GET Table`: the form of a request. */
export function formOf({ method = 'GET', headers = {} }: Step): string {
  const sent = headers['Content-Type'] ?? ''
  const type =
    /application\/([\w-]+)-patch/.exec(sent)?.[1] ?? (sent.endsWith('protobuf') ? 'from-protobuf' : undefined)
  const view = /as=(\w+)/.exec(headers['Accept'] ?? '')?.[1] ?? /protobuf|yaml/.exec(headers['Accept'] ?? '')?.[0]
  return [method, type, view].filter(Boolean).join(' ')
}

/** Where in any object of the kind, not in this one. */
const generalized = (at: string): string =>
  at
    .replaceAll('{{run}}', '')
    .replaceAll(/\[\d+\]/g, '[]')
    .replaceAll(/k:\{.*?\}/g, 'k:{}')
    .replaceAll(/v:"[^"]*"/g, 'v:""')

const podTemplate = /^(?:jobTemplate\.spec\.)?(?:spec\.)?(?:jobTemplate\.spec\.)?template\.(?=spec|metadata)/
/** Pods and workloads share their rules. */
function shared(resource: string, field: string): { resource: string; field: string } {
  const inTemplate = field.replace(/^\$\./, '').replace(podTemplate, '')
  const isTemplate = inTemplate !== field.replace(/^\$\./, '')
  return isTemplate || resource === 'pods' ? { resource: 'pods and templates', field: inTemplate } : { resource, field }
}

const causesOf = ({ body }: Observation): string[] => {
  const causes = valueAt(body, 'details.causes')
  if (!Array.isArray(causes)) return []
  return causes.filter(isObject).map(({ field, reason }) => `${generalized(String(field))} ${reason}`)
}

/** The key under which differences are grouped: type, field, and how they differ. */
export function causeOf(disagreement: Disagreement): string {
  const [difference] = disagreement.differences
  return difference === undefined ? 'nothing' : causeOfDifference(disagreement, difference)
}

function causeOfDifference({ step, reference, target }: Disagreement, difference: Difference): string {
  const resource = resourceOf(step)
  if (difference.kind === 'status') {
    const [cause = ''] = [...causesOf(reference), ...causesOf(target)]
    const named = shared(resource, cause)
    const form = cause === '' ? ` ${formOf(step)}` : ''
    return `${named.resource}${form}: ${difference.expected} or ${difference.actual} ${named.field}`.trim()
  }
  if (difference.at.startsWith('$.details.causes')) {
    const [ours, theirs] = [causesOf(target), causesOf(reference)]
    const odd = [...theirs.filter(cause => !ours.includes(cause)), ...ours.filter(cause => !theirs.includes(cause))]
    const named = shared(resource, odd[0] ?? 'order')
    return `${named.resource}: causes ${theirs.length > ours.length ? 'missing' : 'differ'} ${named.field}`
  }
  const named = shared(resource, generalized(difference.at))
  return `${named.resource}: ${difference.kind} ${named.field}`
}
