import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { type ApiError, type ObjectMeta, unauthorized } from 'orch/sdk'
import type { AuditDecision } from '../contracts/audit-level.js'
import type { Exchange } from '../contracts/exchange.js'
import type { RequestContext } from '../contracts/request-context.js'
import { requestedName } from '../contracts/request-info.js'
import { isoTime } from '../observe/iso-time.js'
import { userAgentOf } from './user-agent.js'
import { withoutCredentials } from './without-credentials.js'

export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete'

const longestAgent = 1024

/** An event without the fields that are the same for the whole log. */
export function auditEvent(
  context: RequestContext,
  { level, omitManagedFields }: AuditDecision,
  stage: AuditStage,
  responseStatus: object | undefined,
  now: number,
): object {
  const { info, exchange, user, impersonator, audit } = context
  const receivedAt = now - (performance.now() - context.progress.startedAt)
  const bodyOf = (body: unknown) => (omitManagedFields ? withoutManagers(body) : body)
  // JSON leaves out what is undefined; objects of one shape are made and written faster.
  return {
    level,
    auditID: context.id,
    stage,
    requestURI: withoutCredentials(exchange.url),
    verb: info.verb,
    // A request that was refused before authentication has no user.
    user: context.audit.decision ? userOf(impersonator ?? user) : {},
    impersonatedUser: impersonator && userOf(user),
    ...(audit.impersonationConstraint === undefined
      ? {}
      : { authenticationMetadata: { impersonationConstraint: audit.impersonationConstraint } }),
    sourceIPs: sourceAddresses(exchange),
    userAgent: userAgentOf(exchange, longestAgent),
    objectRef: info.isResource ? objectRefOf(context) : undefined,
    responseStatus,
    requestObject: level === 'Metadata' ? undefined : bodyOf(audit.bodies?.request),
    responseObject: level === 'RequestResponse' ? bodyOf(audit.bodies?.response) : undefined,
    requestReceivedTimestamp: microTime(receivedAt),
    stageTimestamp: microTime(now),
    annotations: audit.annotations && Object.fromEntries(audit.annotations),
  }
}

/** What a plugin in a process of its own was refused. */
export interface PluginViolation {
  readonly kind: string
  readonly what: string
}

/** An event about a plugin, in the form of those about requests, so that the same tools can read it. */
export function violationEvent(plugin: string, { kind, what }: PluginViolation, now: number): object {
  return {
    level: 'Metadata',
    auditID: randomUUID(),
    stage: 'ResponseComplete',
    requestURI: `/plugins/${plugin}/${kind}`,
    verb: kind,
    user: { username: `system:plugin:${plugin}` },
    responseStatus: { metadata: {}, status: 'Failure', message: what, reason: 'Forbidden', code: 403 },
    requestReceivedTimestamp: microTime(now),
    stageTimestamp: microTime(now),
  }
}

function userOf({ name, uid, groups, extra }: RequestContext['user']): object {
  return { username: name, uid: uid || undefined, groups, extra }
}

/** From the path; what the path does not say is taken from the object that was sent. */
function objectRefOf({ info, audit }: RequestContext): object {
  const { resource, accessNamespace, group, version, subresource } = info
  const { name, uid, resourceVersion, namespace: sentNamespace }: ObjectMeta = audit.sentMetadata ?? {}
  return {
    resource: resource || undefined,
    namespace: accessNamespace || sentNamespace || undefined,
    name: requestedName(info) || name || undefined,
    uid: uid || undefined,
    apiGroup: group || undefined,
    apiVersion: version || undefined,
    resourceVersion: resourceVersion || undefined,
    subresource: subresource || undefined,
  }
}

/** Addresses claimed by proxies, then the address of the connection itself, which cannot be forged. */
function sourceAddresses({ headers, remoteAddress }: Exchange): string[] {
  if (headers['x-forwarded-for'] === undefined && headers['x-real-ip'] === undefined) return [remoteAddress]
  const addresses = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map(text => text.trim())
    .filter(text => isIP(text) !== 0)
  const real = String(headers['x-real-ip'] ?? '')
  if (isIP(real) !== 0 && !addresses.includes(real)) addresses.push(real)
  if (addresses.at(-1) !== remoteAddress) addresses.push(remoteAddress)
  return addresses
}

const microTime = (at: number) => `${isoTime(at)}000Z`

export function responseStatusOf(
  code: number,
  failure: ApiError | undefined,
  status?: RequestContext['audit']['answeredStatus'],
): object {
  if (!failure) return { metadata: {}, ...(status ? { status } : {}), code }
  const { message, reason, details } = failure
  return { metadata: {}, status: 'Failure', message, ...(reason === '' ? {} : { reason }), details, code }
}

/** How a caller that failed authentication tried to authenticate. */
export function refusalOf({ exchange }: RequestContext): ApiError {
  const [scheme = '', ...rest] = (exchange.headers.authorization ?? '').trim().split(' ')
  const attempted = [
    ...(/^(basic|bearer)$/i.test(scheme) && rest.length > 0 ? [scheme.toLowerCase()] : []),
    ...(exchange.clientCertificates().length > 0 ? ['x509'] : []),
  ]
  const how = attempted.length === 0 ? 'no credentials provided' : `attempted: ${attempted.join(', ')}`
  return unauthorized(`Authentication failed, ${how}`)
}

interface Managed {
  readonly metadata?: ObjectMeta
  readonly items?: unknown
}

function withoutManagers(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { metadata, items } = body as Managed
  return {
    ...body,
    ...(metadata?.managedFields ? { metadata: { ...metadata, managedFields: undefined } } : {}),
    ...(Array.isArray(items) ? { items: items.map(withoutManagers) } : {}),
  }
}
