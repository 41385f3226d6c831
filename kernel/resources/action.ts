import {
  type ActionHandler,
  type ActionRequest,
  type ActionSubresource,
  type ApiObject,
  type FieldError,
  invalid,
  methodNotAllowed,
  notFound,
} from 'orch/sdk'
import { trackUpdate } from '../apply/field-manager.js'
import { bodyFormat, decodeText, parseText } from '../http/decode-body.js'
import { copyJson } from '../schema/copy-json.js'
import { type ActionType, actionTypeOf } from './action-type.js'
import { decodeValue } from './decode-object.js'
import { deleteObject } from './delete.js'
import { repeatedFields } from './field-findings.js'
import { managedType } from './managed-type.js'
import { managerOf } from './manager-of.js'
import { isPatchable, patchAction } from './patch-action.js'
import { parseWriteOptions } from './request-options.js'
import type { CompiledVersion } from './resource-type.js'
import { fromStoredBody } from './stored-json.js'
import { matchName } from './update.js'
import { updateObject } from './update-object.js'
import type { VerbRequest } from './verb.js'
import { WriteTarget } from './write-target.js'

/** Operations that are not the object itself: subresources with a type of their own, and virtual types. */

/** A request to a subresource that has a type of its own. */
export async function act(
  request: VerbRequest,
  subresource: ActionSubresource,
  asked: 'get' | 'create' | 'update' | 'patch',
): Promise<void> {
  const { services, context, type } = request
  const isPatch = asked === 'patch'
  const verb = isPatch ? 'update' : asked
  const handler = subresource.handlers[verb]
  if (!handler || (isPatch && !isPatchable(subresource))) throw methodNotAllowed()
  const actionType = actionTypeOf(subresource)
  context.representation = services.representations.negotiatePlain(context, type, actionType.version)
  const { info } = context
  const read = verb === 'get' || isPatch ? undefined : await readActionBody(request, actionType, subresource.defaults)
  const sent = read && verb === 'create' ? { ...read, object: withOwner(request, actionType, read) } : read
  if (verb === 'create' && sent) {
    // What is sent is judged by itself before anybody looks whether there is something to do it to.
    await admit(request, subresource, verb, sent, undefined)
    ;(subresource.check as ((object: ApiObject, name: string) => void) | undefined)?.(sent.object, info.name)
  }
  const found = await services.store.get(type.key(info.namespace, info.name))
  if (!found) throw notFound({ group: type.group, resource: type.resource, name: info.name })
  const target = fromStoredBody(found.body)
  const body = isPatch ? await readActionPatch(request, subresource, actionType, target) : sent
  if (verb === 'update' && body) matchName(body.object, info.name)
  if (verb !== 'create') await admit(request, subresource, verb, body, target)
  const actionRequest = makeActionRequest(request, body, target)
  const answer = await handler(actionRequest, services.resolve(type.plugin, subresource.needs))
  respond(request, actionType, answer, verb === 'create' ? 201 : 200)
}

/** What can be read and written can also be patched: the patch changes what reading shows. */
async function readActionPatch(
  request: VerbRequest,
  subresource: ActionSubresource,
  actionType: ActionType,
  target: ApiObject,
): Promise<ActionBody> {
  return patchAction(request, actionType, (await shownBy(request, subresource, target)) as ApiObject)
}

/** What reading the subresource shows; undefined when it cannot be read. */
async function shownBy(
  request: VerbRequest,
  { handlers, needs }: ActionSubresource,
  target: ApiObject,
): Promise<ApiObject | undefined> {
  const actionRequest = makeActionRequest(request, undefined, target)
  const shown = await handlers.get?.(actionRequest, request.services.resolve(request.type.plugin, needs))
  return shown?.object as ApiObject | undefined
}

/** What is sent to create something belongs to its sender, as in any create, though it is not stored. */
function withOwner(request: VerbRequest, { version }: ActionType, { object, dryRun }: ActionBody): ApiObject {
  const { services, context, type } = request
  const { info, exchange } = context
  const target = new WriteTarget(services, context, type, version, info.subresource, { dryRun })
  const manager = managerOf(info.query.get('fieldManager') ?? '', exchange.headers['user-agent'])
  const owned = trackUpdate(managedType(target), undefined, object, manager, target.now)
  return { ...owned, metadata: { creationTimestamp: null as never, ...owned.metadata } }
}

/** POST to a virtual type: nothing is stored, the answer is computed. */
export async function createVirtual(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  context.representation = services.representations.negotiatePlain(context, type, version)
  const virtual = type.definition.virtual!
  const actionType = { kind: type.kind, version }
  const body = await readActionBody(request, actionType, undefined)
  // The namespace in the body is the business of the type: a review has more to say about it than that it is foreign.
  const validate = virtual.validate as ((object: ApiObject) => FieldError[]) | undefined
  const errors = [...(version.checkConstraints?.(body.object) ?? []), ...(validate?.(body.object) ?? [])]
  if (errors.length > 0) throw invalid({ group: type.group, kind: type.kind }, body.object.metadata.name ?? '', errors)
  const target = new WriteTarget(services, context, type, version, '', { dryRun: body.dryRun })
  const manager = managerOf(context.info.query.get('fieldManager') ?? '', context.exchange.headers['user-agent'])
  const owned = trackUpdate(managedType(target), undefined, body.object, manager, target.now)
  const chain = services.admission.for(type.group, type.resource, '', 'create')
  const admission = target.admissionRequest('create', owned.metadata.name ?? '', owned, undefined)
  await services.admission.mutate(chain, admission)
  await services.admission.validate(chain, admission)
  const handler = virtual.create as ActionHandler
  const actionRequest = makeActionRequest(request, { ...body, object: owned }, undefined)
  const answer = await handler(actionRequest, services.resolve(type.plugin, virtual.needs))
  const { metadata = owned.metadata } = answer.object as Partial<ApiObject>
  respond(
    request,
    actionType,
    { ...answer, object: { ...(answer.object as object), metadata: { creationTimestamp: null, ...metadata } } },
    201,
  )
}

interface ActionBody {
  readonly object: ApiObject
  readonly dryRun: boolean
}

async function readActionBody(
  request: VerbRequest,
  { kind, version, former = [] }: ActionType,
  defaults: ((object: never) => void) | undefined,
): Promise<ActionBody> {
  const { services, context } = request
  const { dryRun, fieldValidation } = parseWriteOptions(services.vendor, 'CreateOptions', context.info.query)
  const format = bodyFormat(context.exchange.headers['content-type'], services.vendor)
  const bytes = await context.exchange.readBody(services.limits.bodyBytes)
  const object =
    format === 'protobuf'
      ? services.representations.protobuf.decodeObject(bytes, kind, version)
      : decodeValue(
          context,
          { kind },
          version,
          asCurrent(parseText(format, bytes), former, version),
          fieldValidation,
          unknown => repeatedFields(format, decodeText(bytes), fieldValidation, unknown),
        )
  context.auditRequest(() => ({ kind, apiVersion: version.groupVersion, ...copyJson(object) }))
  context.auditMetadata(object.metadata)
  version.fillDefaults(object)
  ;(defaults as ((object: ApiObject) => void) | undefined)?.(object)
  return { object, dryRun }
}

/** A body of a former version says the same as one of this. */
function asCurrent(value: unknown, former: readonly string[], { groupVersion }: CompiledVersion): unknown {
  const { apiVersion } = (value ?? {}) as { apiVersion?: unknown }
  return former.some(known => known === apiVersion) ? { ...(value as object), apiVersion: groupVersion } : value
}

async function admit(
  request: VerbRequest,
  subresource: ActionSubresource,
  verb: 'get' | 'create' | 'update',
  body: ActionBody | undefined,
  stored: ApiObject | undefined,
): Promise<void> {
  if (verb === 'get' && !subresource.connect) return
  const { services, context, type, version } = request
  const { info } = context
  const operation = subresource.connect ? 'connect' : verb === 'update' ? 'update' : 'create'
  const chain = services.admission.for(type.group, type.resource, info.subresource, operation)
  if (chain.mutating.length + chain.validating.length === 0) return
  const target = new WriteTarget(services, context, type, version, info.subresource, {
    dryRun: body?.dryRun ?? false,
  })
  const { group, version: bodyVersion, objectKind: kind } = subresource
  const old = operation === 'update' && stored ? await shownBy(request, subresource, stored) : undefined
  const admission = target.admissionRequest(operation, info.name, body?.object, old, {
    kind: { group, version: bodyVersion, kind },
    version: actionTypeOf(subresource).version,
  })
  await services.admission.mutate(chain, admission)
  await services.admission.validate(chain, admission)
}

function makeActionRequest(
  request: VerbRequest,
  body: ActionBody | undefined,
  target: ApiObject | undefined,
): ActionRequest {
  const { services, context, type } = request
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
    updateTarget: async change => {
      const write = new WriteTarget(services, context, type, type.storage, '', { dryRun })
      const written = await updateObject(actionWrite(write), {
        name: info.name,
        manager: managerOf(info.query.get('fieldManager') ?? '', context.exchange.headers['user-agent']),
        ownedThrough: info.subresource,
        isUnconditional: true,
        produce: live => {
          const draft = copyJson(live!)
          change(draft)
          return draft
        },
      })
      return fromStoredBody(written.body)
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

/** An action decides by itself what it changes: the main path's resets, update rules and controls do not apply to it. */
function actionWrite(target: WriteTarget): WriteTarget {
  target.isAdmitted = true
  return Object.defineProperty(target, 'strategy', { value: {} })
}

function respond(
  { services, context, type }: VerbRequest,
  { kind, version }: ActionType,
  answer: { object: unknown; status?: number },
  status: number,
): void {
  const code = answer.status ?? status
  const { representations } = services
  const given = answer.object as Record<string, unknown>
  if (given['kind'] === 'Status') return representations.respondStatus(context, code, given as never)
  // Handlers state what matters; the schema knows what else is always written.
  const body = { ...version.decode(given), ...(given['metadata'] ? { metadata: given['metadata'] } : {}) }
  if (context.representation!.format === 'protobuf') {
    return representations.respondObject(
      context,
      code,
      Object.create(type, { kind: { value: kind } }),
      version,
      body as never,
    )
  }
  representations.respondPlain(context, code, { kind, apiVersion: version.groupVersion, ...body })
}
