import { ApiError, badRequest, type FieldError, invalidValue, notSupported } from 'orch/sdk'
import { bodyFormat, parseText } from '../http/decode-body.js'
import type { RequestContext } from '../request/request-context.js'
import { isTrueParameter } from '../request/request-info.js'
import { dryRunErrors, integerParameter, invalidOptions } from './request-options.js'
import type { ResourceServices } from './resource-services.js'

/** How something is to be deleted, from the query and the optional body. */
export interface DeleteRequestOptions {
  readonly dryRun: boolean
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: string
  readonly orphanDependents?: boolean
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

const policies = ['Background', 'Foreground', 'Orphan']

/** Reads DeleteOptions. A body counts alone; the query only when there is none. */
export async function readDeleteOptions(
  services: ResourceServices,
  context: RequestContext,
): Promise<DeleteRequestOptions> {
  const { exchange, info } = context
  const body = await exchange.readBody(services.limits.bodyBytes)
  const given = body.length === 0 ? fromQuery(info.query) : fromBody(decodeBody(services, context, body))
  const errors: FieldError[] = dryRunErrors(given.dryRun)
  const { propagationPolicy, orphanDependents } = given
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalidValue(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    )
  } else if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    errors.push(notSupported('propagationPolicy', propagationPolicy, policies))
  }
  if (errors.length > 0) throw invalidOptions(services.vendor, 'DeleteOptions', errors)
  return { ...given, dryRun: given.dryRun.includes('All') }
}

/** The media type counts only where there is a body. */
function decodeBody({ vendor, representations }: ResourceServices, context: RequestContext, body: Buffer): unknown {
  const format = bodyFormat(context.exchange.headers['content-type'], vendor)
  const sent = format === 'protobuf' ? representations.protobuf.decodeDeleteOptions(body) : parseText(format, body)
  context.auditRequest(() => sent)
  return sent ?? {}
}

type GivenOptions = Omit<DeleteRequestOptions, 'dryRun'> & { readonly dryRun: readonly string[] }

function fromQuery(query: URLSearchParams): GivenOptions {
  const grace = integerParameter(query, 'gracePeriodSeconds')
  // It is stored, and what is stored must be readable again.
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
  }
}

function fromBody(value: unknown): GivenOptions {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('the body must be a DeleteOptions object')
  const body = value as Record<string, unknown>
  if (body['kind'] !== undefined && body['kind'] !== '' && body['kind'] !== 'DeleteOptions') {
    throw new ApiError(400, 'BadRequest', `the body must be of kind DeleteOptions, not ${JSON.stringify(body['kind'])}`)
  }
  const preconditions = typed(body, 'preconditions', 'object') as Record<string, unknown> | undefined
  const grace = typed(body, 'gracePeriodSeconds', 'number') as number | undefined
  const policy = typed(body, 'propagationPolicy', 'string') as string | undefined
  const orphan = typed(body, 'orphanDependents', 'boolean') as boolean | undefined
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
