import {
  type ActionSubresource,
  badRequest,
  methodNotAllowed,
  ownValue,
  pathNotFound,
  type UpdateSubresource,
} from 'orch/sdk'
import type { RequestContext } from '../request/request-context.js'
import { act, createVirtual } from './action.js'
import { create } from './create.js'
import { remove } from './delete.js'
import { removeCollection } from './delete-collection.js'
import { get } from './get.js'
import { list } from './list.js'
import { patch } from './patch.js'
import type { ResourceServices } from './resource-services.js'
import { update } from './update.js'
import type { VerbHandler, VerbRequest } from './verb.js'
import { watch } from './watch.js'

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
  const version = type?.servedVersion(info.version)
  if (!type || !version || info.isTooDeep) throw pathNotFound()
  const isVirtual = type.definition.virtual !== undefined
  if (type.namespaced !== (info.namespace !== '') && (isVirtual || !isReadOfAllNamespaces(context, type.namespaced))) {
    // Only what can be listed across namespaces has a path without one.
    throw type.namespaced && info.name === '' && !isVirtual ? methodNotAllowed() : pathNotFound()
  }
  if (exchange.method === 'HEAD') throw methodNotAllowed()
  // The path of a namespace object carries its own name as namespace; past authorization that would only mislead.
  if (!type.namespaced && info.namespace !== '') context.info = { ...info, namespace: '' }
  warnOfDeprecation(services, context, type, version)
  const request = { services, context, type, version }
  refuseUnstorableName(info.name)
  if (info.subresource !== '') return serveSubresource(request)
  if (isVirtual) {
    // What is never stored has no names, so there is nothing at such a path.
    if (info.name !== '') throw pathNotFound()
    if (info.verb !== 'create') throw methodNotAllowed()
    return createVirtual(request)
  }
  const handler = handlers[info.verb]
  const isOnCollection = collectionVerbs.has(info.verb)
  const isMisplaced = info.verb !== 'watch' && isOnCollection !== (info.name === '')
  if (!handler || isMisplaced || !(type.verbs as readonly string[]).includes(info.verb)) throw methodNotAllowed()
  return inTurn(handler, request)
}

/** Writers wait for their turn, if the store has turns; readers never do. */
function inTurn(handler: VerbHandler, request: VerbRequest): void | Promise<void> {
  const turn = readingVerbs.has(request.context.info.verb) ? undefined : request.services.store.writeTurn?.()
  return turn ? turn.then(() => handler(request)) : handler(request)
}

/** Some names nobody can have, for they would lead elsewhere in a path. */
function refuseUnstorableName(name: string): void {
  if (name === '.' || name === '..' || name.includes('%')) {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not be '.' or '..' or contain '%'`)
  }
}

/** Namespaced types may be listed and watched across namespaces; a cluster-scoped type has no namespace in its path. */
function isReadOfAllNamespaces({ info }: RequestContext, isNamespaced: boolean): boolean {
  if (!isNamespaced) return info.namespace === info.name
  return info.name === '' && (info.verb === 'list' || info.verb === 'watch')
}

function serveSubresource(request: VerbRequest): void | Promise<void> {
  const { type, context } = request
  const { info } = context
  const subresource = ownValue(type.definition.subresources, info.subresource)
  if (!subresource) throw pathNotFound()
  if (subresource.kind === 'action') return serveAction(request, subresource)
  const verbs: readonly string[] = (subresource as UpdateSubresource).verbs ?? ['get', 'update', 'patch']
  const handler = handlers[info.verb]
  if (!handler || !verbs.includes(info.verb)) throw methodNotAllowed()
  return inTurn(handler, request)
}

function serveAction(request: VerbRequest, subresource: ActionSubresource): Promise<void> {
  const { verb } = request.context.info
  if (verb !== 'get' && verb !== 'create' && verb !== 'update' && verb !== 'patch') throw methodNotAllowed()
  return act(request, subresource, verb)
}

function warnOfDeprecation(
  services: ResourceServices,
  context: RequestContext,
  type: VerbRequest['type'],
  version: VerbRequest['version'],
): void {
  const { deprecated } = version.definition
  if (!deprecated) return
  const { removedRelease, replacement, warning } = deprecated
  const gone = removedRelease ? `, unavailable in ${removedRelease}+` : ''
  const instead = replacement ? `; use ${replacement}` : ''
  context.warn(warning ?? `${version.groupVersion} ${type.kind} is deprecated${gone}${instead}`)
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
