import {
  type ActionSubresource,
  ApiError,
  badRequest,
  type Deprecation,
  methodNotSupported,
  notFound,
  ownValue,
  pathNotFound,
} from 'orch/sdk'
import type { UpdateSubresource } from 'orch/sdk/host'
import { methodNotAllowed } from '../contracts/protocol-errors.js'

import type { RequestContext } from '../contracts/request-context.js'
import type { RequestInfo } from '../contracts/request-info.js'
import { actionTypeOf } from '../types/action-type.js'
import type { ResourceType } from '../types/resource-type.js'
import { act, createVirtual } from './action.js'
import { connect } from './connect.js'
import { remove } from './delete.js'
import { removeCollection } from './delete-collection.js'
import { get } from './get.js'
import { HiddenValues } from './hidden-values.js'
import { list } from './list.js'
import { readVirtual } from './read-virtual.js'
import type { ResourceServices } from './resource-services.js'
import type { VerbHandler, VerbRequest } from './verb.js'
import { watch } from './watch.js'
import { create, patch, update } from './write-verbs.js'

/** Nothing is served at the path: the client gets a text page, not a Status. */
export class UnknownPath extends ApiError {
  constructor() {
    super(404, 'NotFound', '404 page not found')
  }
}

/** One handler per verb. */
const handlers: Readonly<Record<string, VerbHandler>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeCollection,
}
const readingVerbs = new Set(['get', 'list', 'watch'])
/** Verbs that act on a collection, not on a named object. */
const collectionVerbs = new Set(['list', 'create', 'deletecollection'])

/** Finds what a resource request asks for and serves it. */
export function serveResource(services: ResourceServices, context: RequestContext): void | Promise<void> {
  const { info, exchange } = context
  const type = services.types.get(info.group, info.resource)
  // Requests of the server itself may use versions that --runtime-config hides from clients.
  const isOwnRequest = exchange.trustedUser !== undefined
  const version = isOwnRequest ? type?.versionForServer(info.version) : type?.servedVersion(info.version)
  // A group without served types is treated like an unknown group.
  if (!version && services.types.ofGroup(info.group).length === 0) throw new UnknownPath()
  if (!type || !version || (info.isUnroutable && !isProxied(type, info))) throw noSuchPath(type)
  const isVirtual = type.definition.virtual !== undefined
  refuseOtherScope(type, isVirtual, info)
  if (exchange.method === 'HEAD' && !proxiedBy(type, info)) throw methodNotAllowed()
  warnOfDeprecation(services, context, type, version)
  const request = { services, context, type, version }
  refuseUnstorableName(info.namespace)
  refuseUnstorableName(info.name)
  if (!readingVerbs.has(info.verb) && type.isSensitive(info.subresource)) hideValues(request)
  if (info.subresource !== '') return serveSubresource(request)
  if (isVirtual && type.definition.virtual?.list) {
    if (!type.verbs.includes(info.verb as never)) throw methodNotAllowed()
    return readVirtual(request)
  }
  if (isVirtual) {
    // Virtual objects have no names, so there is nothing at such a path.
    if (info.name !== '') throw pathNotFound()
    if (info.verb !== 'create') throw methodNotAllowed()
    return createVirtual(request)
  }
  const handler = handlers[info.verb]
  const isOnCollection = collectionVerbs.has(info.verb)
  const isMisplaced = info.verb !== 'watch' && isOnCollection !== (info.name === '')
  if (!handler || isMisplaced || !(type.verbs as readonly string[]).includes(info.verb)) {
    if (isUnnamed(request)) throw badRequest('name must be provided')
    throw noSuchMethod(request)
  }
  return paced(handler, request)
}

/** Whether the subresource proxies the rest of the path, with any method. */
function proxiedBy({ definition }: VerbRequest['type'], { subresource }: RequestInfo): boolean {
  const below = subresource === '' ? undefined : ownValue(definition.subresources, subresource)
  return below?.kind === 'connect' && below.pathOption !== undefined
}
const isProxied = (type: VerbRequest['type'], info: RequestInfo): boolean =>
  info.proxyPath !== undefined && proxiedBy(type, info)

function hideValues({ context, version }: VerbRequest): void {
  const below = ownValue(version.subresources, context.info.subresource)
  const sent = below?.kind === 'action' ? actionTypeOf(below).version : version
  context.hidden = new HiddenValues(sent.model)
}

/** Writes wait for their turn, if the store paces them; reads never do. */
function paced(handler: VerbHandler, request: VerbRequest): void | Promise<void> {
  const turn = readingVerbs.has(request.context.info.verb) ? undefined : request.services.store.writeTurn()
  return turn ? turn.then(() => handler(request)) : handler(request)
}

/** Names that would change the meaning of a path are rejected. */
function refuseUnstorableName(name: string): void {
  if (name === '.' || name === '..' || name.includes('%')) {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not be '.' or '..' or contain '%'`)
  }
}

/**
 * A namespaced type is served below a namespace, and across namespaces where it can be listed or watched; any other
 * type is not served below a namespace at all: permissions within a namespace must not extend to objects outside it.
 */
function refuseOtherScope(type: ResourceType, isVirtual: boolean, info: RequestInfo): void {
  const { namespaced, conventions } = type
  if (!namespaced) {
    if (info.isBelowNamespace) throw noSuchPath(type)
    return
  }
  if (info.namespace !== '') return
  if (isVirtual || info.name !== '') throw noSuchPath(type)
  if (info.verb === 'list' || info.verb === 'watch') return
  throw conventions.unknownPathsArePages ? new UnknownPath() : methodNotAllowed()
}

/** For custom resources, Kubernetes answers a path that the type does not serve with the 404 page. */
const noSuchPath = (type: ResourceType | undefined) =>
  type?.conventions.unknownPathsArePages ? new UnknownPath() : pathNotFound()

const subjectOf = ({ type }: VerbRequest) => ({ group: type.group, resource: type.resource })

/** For custom resources, Kubernetes names the type in the error; for others it does not. */
const noSuchMethod = (request: VerbRequest) =>
  request.type.conventions.errorsNameTheSubject
    ? methodNotSupported(subjectOf(request), request.context.info.verb)
    : methodNotAllowed()

/** An update or patch without a name in the path. */
const isUnnamed = ({ type, context: { info } }: VerbRequest): boolean =>
  type.conventions.routesUnnamedWrites && info.name === '' && (info.verb === 'patch' || info.verb === 'update')

function serveSubresource(request: VerbRequest): void | Promise<void> {
  const { type, version, context } = request
  const { info } = context
  const subresource = ownValue(version.subresources, info.subresource)
  if (!subresource)
    throw type.conventions.errorsNameTheSubject ? notFound({ ...subjectOf(request), name: info.name }) : pathNotFound()
  if (subresource.kind === 'action') return serveAction(request, subresource)
  if (subresource.kind === 'connect') return connect(request, subresource)
  const verbs: readonly string[] = (subresource as UpdateSubresource).verbs ?? ['get', 'update', 'patch']
  const handler = handlers[info.verb]
  if (!handler || !verbs.includes(info.verb)) throw noSuchMethod(request)
  return paced(handler, request)
}

function serveAction(request: VerbRequest, subresource: ActionSubresource): Promise<void> {
  const { verb } = request.context.info
  if (verb !== 'get' && verb !== 'create' && verb !== 'update' && verb !== 'patch') throw noSuchMethod(request)
  return act(request, subresource, verb)
}

function deprecationText(what: string, kind: string, deprecated: Deprecation): string {
  const { since, removedRelease, replacement, warning } = deprecated
  if (warning !== undefined) return warning
  const from = since ? ` in v${since}+` : ''
  const gone = removedRelease ? `, unavailable in v${removedRelease}+` : ''
  const instead = replacement?.includes(' ') ? replacement : `${replacement} ${kind}`
  return `${what} is deprecated${from}${gone}${replacement ? `; use ${instead}` : ''}`
}

function warnOfDeprecation(
  services: ResourceServices,
  context: RequestContext,
  type: VerbRequest['type'],
  version: VerbRequest['version'],
): void {
  const { deprecated } = version.definition
  if (!deprecated) return
  // A client that takes nothing at all is refused before it could be warned, except by types that came as data.
  const { mediaTypeErrorsHaveDetails } = type.conventions
  if (mediaTypeErrorsHaveDetails && !services.representations.negotiator.accepts(context.exchange.headers.accept))
    return
  const { removedRelease } = deprecated
  context.warn(deprecationText(`${version.groupVersion} ${type.kind}`, type.kind, deprecated))
  context.annotate(services.vendor.qualify('deprecated'), 'true')
  if (removedRelease) context.annotate(services.vendor.qualify('removed-release'), removedRelease)
  services.deprecatedRequests.set(1, {
    group: type.group,
    version: version.name,
    resource: type.resource,
    subresource: context.info.subresource,
    removed_release: removedRelease ?? '',
  })
}
