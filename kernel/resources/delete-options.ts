import { ApiError, badRequest, type FieldError, invalidValue, notSupported, type ServedLevel } from 'orch/sdk'
import type { RequestContext } from '../contracts/request-context.js'
import { isTrueParameter } from '../contracts/request-info.js'
import { bodyFormat, parseBody, type TextBody } from '../representation/decode-body.js'
import { metaType } from '../schema/meta-types.js'
import { rejectNonIntegers } from '../schema/non-integers.js'
import { dryRunErrors, integerParameter, invalidOptions } from './request-options.js'
import type { ResourceServices } from './resource-services.js'

/** The options of a deletion, from the query and the optional body. */
export interface DeleteRequestOptions {
  readonly dryRun: boolean
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: string
  readonly orphanDependents?: boolean
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  /** Deletes an object that cannot be read. */
  readonly ignoresReadErrors?: boolean
}

const policies = ['Background', 'Foreground', 'Orphan']
/** The option to delete an unreadable object; its name is that of Kubernetes since 1.32. */
export const unreadableOption = 'ignoreStoreReadErrorWithClusterBreakingPotential'

/** Reads DeleteOptions from the body, or from the query when there is no body. */
export async function readDeleteOptions(
  services: ResourceServices,
  context: RequestContext,
  propagationWarning?: string,
): Promise<DeleteRequestOptions> {
  const { info } = context
  const body = await context.readBody(services.limits.bodyBytes)
  const given =
    body.length === 0 ? fromQuery(info.query) : fromBody(await decodeBody(services, context, body), services)
  // DELETECOLLECTION deletes readable objects only.
  const isCollection = info.verb === 'deletecollection'
  const errors: FieldError[] = [
    ...dryRunErrors(given.dryRun),
    ...(isCollection ? [] : unreadableOptionErrors(given)),
    ...propagationErrors(given),
  ]
  if (errors.length > 0) throw invalidOptions(services.vendor, 'DeleteOptions', errors)
  const { propagationPolicy, orphanDependents } = given
  if (propagationWarning && propagationPolicy === undefined && orphanDependents === undefined)
    context.warn(propagationWarning)
  return { ...given, dryRun: given.dryRun.includes('All') }
}

/** What happens to dependents can be said in one way only. */
export function propagationErrors({
  propagationPolicy: policy,
  orphanDependents,
}: Pick<DeleteRequestOptions, 'propagationPolicy' | 'orphanDependents'>): FieldError[] {
  if (policy === undefined) return []
  const field = 'propagationPolicy'
  return [
    ...(orphanDependents === undefined
      ? []
      : [invalidValue(field, policy, 'orphanDependents and deletionPropagation cannot be both set')]),
    ...(policies.includes(policy) ? [] : [notSupported(field, policy, policies)]),
  ]
}

/** The media type counts only where there is a body. */
async function decodeBody(services: ResourceServices, context: RequestContext, body: Buffer): Promise<unknown> {
  const format = bodyFormat(context.exchange.headers['content-type'], services.vendor)
  const sent =
    format === 'protobuf'
      ? services.representations.protobuf.decodeDeleteOptions(body)
      : readOptions(await parseBody(services.yaml, format, body), services.vendor.level)
  context.audit.recordRequest(() => sent)
  return sent ?? {}
}

function readOptions({ text, value, repeatedKeys }: TextBody, level: ServedLevel): unknown {
  if (!repeatedKeys) rejectNonIntegers(text, 'DeleteOptions', () => metaType('DeleteOptions', level))
  return value
}

type GivenOptions = Omit<DeleteRequestOptions, 'dryRun'> & { readonly dryRun: readonly string[] }

/** Options that an unreadable object cannot have. */
function unreadableOptionErrors(given: GivenOptions): FieldError[] {
  if (!given.ignoresReadErrors) return []
  const { dryRun, ...others } = given
  const set = (['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'] as const).filter(
    name => others[name] !== undefined,
  )
  return [...(dryRun.length > 0 ? ['dryRun'] : []), ...set].map(name =>
    invalidValue(unreadableOption, true, `cannot be set together with .${name}`),
  )
}

function fromQuery(query: URLSearchParams): GivenOptions {
  const grace = integerParameter(query, 'gracePeriodSeconds')
  // It is stored, and must be readable again.
  if (grace !== undefined && !Number.isSafeInteger(grace)) throw badRequest('gracePeriodSeconds is out of range')
  const policy = query.get('propagationPolicy')
  const orphan = query.get('orphanDependents')
  const uid = query.get('uid')
  return {
    dryRun: query.getAll('dryRun'),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphan === null ? {} : { orphanDependents: isTrueParameter(query, 'orphanDependents') }),
    ...(uid ? { preconditions: { uid } } : {}),
    ...(isTrueParameter(query, unreadableOption) ? { ignoresReadErrors: true } : {}),
  }
}

function fromBody(value: unknown, { types, vendor }: ResourceServices): GivenOptions {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('the body must be a DeleteOptions object')
  const body = value as Record<string, unknown>
  if (body['kind'] !== undefined && body['kind'] !== '' && body['kind'] !== 'DeleteOptions') {
    throw new ApiError(400, 'BadRequest', `the body must be of kind DeleteOptions, not ${JSON.stringify(body['kind'])}`)
  }
  const { apiVersion = '' } = body
  // Clients send the version of the object that they delete.
  const isKnown = ['', 'v1', null, `${vendor.metaGroup}/v1`].includes(apiVersion as string)
  if (!isKnown && !(typeof apiVersion === 'string' && types.serves(apiVersion)))
    throw badRequest('the apiVersion of DeleteOptions must be v1, or one that is served')
  const preconditions = typed(body, 'preconditions', 'object') as Record<string, unknown> | undefined
  const grace = typed(body, 'gracePeriodSeconds', 'number') as number | undefined
  const policy = typed(body, 'propagationPolicy', 'string') as string | undefined
  const orphan = typed(body, 'orphanDependents', 'boolean') as boolean | undefined
  const isUnreadable = typed(body, unreadableOption, 'boolean') as boolean | undefined
  const dryRun = body['dryRun'] ?? []
  if (!Array.isArray(dryRun) || dryRun.some(each => typeof each !== 'string'))
    throw badRequest('dryRun must be a list of strings')
  const uid = preconditions && (typed(preconditions, 'uid', 'string') as string | undefined)
  const resourceVersion = preconditions && (typed(preconditions, 'resourceVersion', 'string') as string | undefined)
  return {
    dryRun,
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
    ...(isUnreadable ? { ignoresReadErrors: true } : {}),
    ...(preconditions === undefined
      ? {}
      : {
          preconditions: {
            ...(uid === undefined ? {} : { uid }),
            ...(resourceVersion === undefined ? {} : { resourceVersion }),
          },
        }),
  }
}

function typed(
  body: Record<string, unknown>,
  field: string,
  type: 'object' | 'number' | 'string' | 'boolean',
): unknown {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  const isRight = typeof value === type && !Array.isArray(value) && (type !== 'number' || Number.isSafeInteger(value))
  if (!isRight) throw badRequest(`${field} must be a ${type}`)
  return value
}
