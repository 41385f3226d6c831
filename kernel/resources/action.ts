import {
  type ActionRequest,
  type ActionSubresource,
  type ApiObject,
  methodNotSupported,
  notFound,
  type Strategy,
} from 'orch/sdk'
import type { ActionHandler } from 'orch/sdk/host'
import { copyJson } from '../../libs/json/index.js'
import { applyObject } from '../apply/field-manager.js'
import { methodNotAllowed } from '../contracts/protocol-errors.js'
import { singleMetadata } from '../representation/partial-metadata.js'
import { parseIncludeObject } from '../representation/table.js'
import { unsetMetadata } from '../schema/unset-metadata.js'
import { type ActionType, actionTypeOf, isPatchable } from '../types/action-type.js'
import { fromStoredBody } from '../types/stored-json.js'
import { type ActionBody, type PatchRequest, patchAction, patchRequestOf, readActionBody } from './action-sources.js'
import { withOwnership } from './converted-ownership.js'
import { deleteObject } from './delete.js'
import { propagationErrors } from './delete-options.js'
import { managerOf } from './manager-of.js'
import {
  bodiesLoseSystemFields,
  dropSystemFields,
  matchName,
  matchNamespace,
  namespaceComesFirst,
} from './object-meta.js'
import { invalidOptions } from './request-options.js'
import type { VerbRequest } from './verb.js'
import { otherUid } from './write-checks.js'
import type { WriteInProgress } from './write-in-progress.js'
import { missingObjectsComeFirst, updateObject } from './write-object.js'
import { runPipeline } from './write-pipeline.js'
import { WriteTarget } from './write-target.js'

/** Requests that are not about the object itself: subresources with their own type, and virtual types. */

/** A request to a subresource with its own type. */
export async function act(
  request: VerbRequest,
  subresource: ActionSubresource,
  asked: 'get' | 'create' | 'update' | 'patch',
): Promise<void> {
  const { services, context, type } = request
  const isPatch = asked === 'patch'
  const verb = isPatch ? 'update' : asked
  const handler = subresource.handlers[verb]
  if (!handler || (isPatch && !isPatchable(subresource)))
    throw type.conventions.errorsNameTheSubject ? methodNotSupported(type, context.info.verb) : methodNotAllowed()
  const actionType = actionTypeOf(subresource)
  const { representations } = services
  context.representation = subresource.columns
    ? representations.negotiate(context, type, actionType.version)
    : representations.negotiatePlain(context, type, actionType.version)
  const { info } = context
  let sent =
    verb === 'get' || isPatch
      ? undefined
      : await readActionBody(request, actionType, verb === 'update' ? 'UpdateOptions' : 'CreateOptions')
  if (verb === 'create' && sent) {
    if (!subresource.keepsSystemFields && services.vendor.level.has(bodiesLoseSystemFields))
      dropSystemFields(sent.object)
    matchBodyNamespace(request, sent.object)
    // The body is validated before its target is looked up.
    sent = { ...sent, object: (await admit(request, subresource, verb, sent, undefined))! }
    ;(subresource.check as ((object: ApiObject, name: string) => void) | undefined)?.(sent.object, info.name)
  }
  if (verb === 'update' && sent) matchName(sent.object, info.name)
  // So are the options of a patch.
  const patch = isPatch ? patchRequestOf(request, actionType.kind, subresource.appliedFields) : undefined
  const found = await services.store.get(type.key(info.namespace, info.name))
  if (!found) {
    const { uid } = (verb === 'update' && sent?.object.metadata) || {}
    if (uid && !services.vendor.level.has(missingObjectsComeFirst))
      throw otherUid(new WriteTarget(request, '', { dryRun: false }), info.name, uid)
    const missing = subresource.missing?.(verb, services.vendor.level) ?? type
    throw notFound({ group: missing.group, resource: missing.resource, name: info.name })
  }
  const target = await type.toWorking(fromStoredBody(found.body), request.version)
  const body = patch ? await readActionPatch(request, subresource, actionType, patch, target) : sent
  if (patch && body) matchName(body.object, info.name)
  if (verb !== 'create') await admit(request, subresource, verb, body, target)
  const actionRequest = makeActionRequest(request, body && toWrite(body), target)
  const answer = await handler(actionRequest, services.resolve(type.pluginOf(info.subresource), subresource.needs))
  return respond(request, actionType, answer, verb === 'create' ? 201 : 200)
}

/** A subresource that can be read and written can also be patched: the patch is applied to what a read shows. */
async function readActionPatch(
  request: VerbRequest,
  subresource: ActionSubresource,
  actionType: ActionType,
  patch: PatchRequest,
  target: ApiObject,
): Promise<ActionBody> {
  const shown = (await shownBy(request, subresource, target)) as ApiObject
  return patchAction(request, actionType, patch, shown, subresource.appliedFields)
}

/** The object that a read of the subresource shows; undefined when it cannot be read. */
async function shownBy(
  request: VerbRequest,
  { handlers, needs }: ActionSubresource,
  target: ApiObject,
): Promise<ApiObject | undefined> {
  const actionRequest = makeActionRequest(request, undefined, target)
  const shown = await handlers.get?.(
    actionRequest,
    request.services.resolve(request.type.pluginOf(request.context.info.subresource), needs),
  )
  return shown?.object as ApiObject | undefined
}

/** POST to a virtual type: nothing is stored, the answer is computed. */
export async function createVirtual(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  context.representation = services.representations.negotiatePlain(context, type, version)
  const virtual = type.definition.virtual!
  const actionType = { group: type.group, kind: type.kind, version }
  const body = await readActionBody(request, actionType)
  dropSystemFields(body.object)
  matchBodyNamespace(request, body.object)
  const write: WriteInProgress = {
    kind: 'createBody',
    target: new WriteTarget(request, '', { dryRun: body.dryRun }),
    operation: 'create',
    name: body.object.metadata.name ?? '',
    object: body.object,
    manager: managerOfRequest(request),
    bodyErrors: virtual.validate as WriteInProgress['bodyErrors'],
  }
  await runPipeline(write)
  const owned = write.object!
  const handler = virtual.create as ActionHandler
  const actionRequest = makeActionRequest(request, { ...body, object: owned }, undefined)
  const answer = await handler(actionRequest, services.resolve(type.plugin, virtual.needs))
  const { metadata = owned.metadata } = answer.object as Partial<ApiObject>
  return respond(
    request,
    actionType,
    {
      ...answer,
      object: { ...(answer.object as object), metadata: { ...unsetMetadata(services.vendor.level), ...metadata } },
    },
    201,
  )
}

/** Before that difference the type checks the namespace in the body: a review has a more specific error for a wrong one. */
function matchBodyNamespace({ services, context }: VerbRequest, object: ApiObject): void {
  if (services.vendor.level.has(namespaceComesFirst)) matchNamespace(object, context.info.namespace)
}

/** For a patch without a version, the version that it was applied to is not a precondition. */
function toWrite(body: ActionBody): ActionBody {
  if (!body.isForAnyVersion) return body
  const { resourceVersion: _, ...metadata } = body.object.metadata
  return { ...body, object: { ...body.object, metadata } }
}

/** Runs the steps for the body of an action and returns it. Reads have no steps, unless they connect. */
async function admit(
  request: VerbRequest,
  subresource: ActionSubresource,
  verb: 'get' | 'create' | 'update',
  body: ActionBody | undefined,
  stored: ApiObject | undefined,
): Promise<ApiObject | undefined> {
  if (verb === 'get' && !subresource.connect) return undefined
  const { info } = request.context
  const { group, version: bodyVersion, objectKind } = subresource
  const operation = subresource.connect ? 'connect' : verb === 'update' ? 'update' : 'create'
  const write: WriteInProgress = {
    kind: verb === 'create' ? 'createBody' : 'action',
    target: new WriteTarget(request, info.subresource, { dryRun: body?.dryRun ?? false }),
    operation,
    name: info.name,
    object: body?.object,
    manager: managerOfRequest(request),
    stored: operation === 'update' && stored ? await shownBy(request, subresource, stored) : undefined,
    action: { kind: { group, version: bodyVersion, kind: objectKind }, version: actionTypeOf(subresource).version },
  }
  await runPipeline(write)
  return write.object
}

const managerOfRequest = ({ context: { info, exchange } }: VerbRequest): string =>
  managerOf(info.query.get('fieldManager') ?? '', exchange.headers['user-agent'])

/** An action decides what it changes: only rules of the main path apply to it, and unless it is an update only the limits. */
const rulesOf = ({ prepareForUpdate: _, resetFields: __, ...rules }: Strategy<never>, isUpdate: boolean): Strategy =>
  isUpdate ? rules : { validateLimits: rules.validateLimits }

function makeActionRequest(
  request: VerbRequest,
  body: ActionBody | undefined,
  target: ApiObject | undefined,
): ActionRequest {
  const { services, context, type, version } = request
  const { info } = context
  const dryRun = body?.dryRun ?? false
  return {
    user: context.user,
    namespace: info.namespace,
    name: info.name,
    body: body?.object,
    target,
    dryRun,
    query: info.query,
    now: services.clock.now(),
    warn: context.warn,
    annotate: (key, value) => context.annotate(key, value),
    updateTarget: async (change, { keepsGeneration = false, keepsOwners = false, isUpdate = false, unowned } = {}) => {
      const working = type.workingVersion(version)
      const write = new WriteTarget(
        { ...request, version: working },
        '',
        { dryRun },
        rulesOf(type.definition.strategy ?? {}, isUpdate),
      )
      write.keepsGeneration = keepsGeneration
      const manager = managerOfRequest(request)
      const apply = async (live: ApiObject, { fields, force }: NonNullable<ActionBody['applied']>) => {
        const identity = { apiVersion: working.groupVersion, kind: type.kind, metadata: { name: info.name } }
        return withOwnership(write, info.subresource, managed =>
          applyObject(managed, live, { ...copyJson(fields), ...identity }, manager, force, write.now),
        )
      }
      const written = await updateObject(write, {
        kind: 'updateByAction',
        name: info.name,
        manager,
        ownedThrough: info.subresource,
        unowned,
        isTracked: keepsOwners || body?.applied !== undefined,
        isUnconditional: true,
        produce: async live => {
          const draft = body?.applied ? await apply(live!, body.applied) : copyJson(live!)
          await change(draft, live!)
          return draft
        },
      })
      return type.toWorking(fromStoredBody(written.body), working)
    },
    checkDeletion: options => {
      const errors = propagationErrors(options)
      if (errors.length > 0) throw invalidOptions(services.vendor, 'DeleteOptions', errors)
    },
    deleteTarget: async options => {
      await deleteObject(
        { services, context, type },
        info.name,
        { ...options, dryRun: dryRun || options.dryRun === true },
        { isAdmitted: true },
      )
    },
  }
}

function respond(
  { services, context }: VerbRequest,
  { kind, version }: ActionType,
  answer: { object: unknown; status?: number },
  status: number,
): void | Promise<void> {
  const code = answer.status ?? status
  const { representations } = services
  const given = answer.object as Record<string, unknown>
  if (given['kind'] === 'Status') return representations.respondStatus(context, code, given as never)
  // Handlers return the relevant fields; the schema adds those that are always written.
  const body = { ...version.decode(given), ...(given['metadata'] ? { metadata: given['metadata'] } : {}) } as ApiObject
  const { as, format, metaVersion } = context.representation!
  if (as === 'object' && format === 'protobuf')
    return representations.respondProtobuf(context, code, kind, version, body)
  const whole = { kind, apiVersion: version.groupVersion, ...body }
  if (as === 'object') return representations.respondPlain(context, code, whole)
  const view =
    as === 'Table'
      ? representations.tables.single(version, metaVersion, whole, parseIncludeObject(context.info.query))
      : singleMetadata(services.vendor, context.representation!, body)
  return representations.respondPlain(context, code, view)
}
