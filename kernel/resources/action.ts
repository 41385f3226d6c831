import {
  type ActionHandler,
  type ActionRequest,
  type ActionSubresource,
  type ApiObject,
  methodNotAllowed,
  methodNotSupported,
  notFound,
} from 'orch/sdk'
import { applyObject, trackUpdate } from '../apply/field-manager.js'
import { bodyFormat, parseBody, type TextBody } from '../representation/decode-body.js'
import { copyJson } from '../schema/copy-json.js'
import { refuseOddNumbers } from '../schema/odd-numbers.js'
import { type ActionType, actionTypeOf, isPatchable } from '../types/action-type.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import { fromStoredBody } from '../types/stored-json.js'
import { decodeValue } from './decode-object.js'
import { deleteObject } from './delete.js'
import { bodyLimits, type FieldValidation, repeatedFields } from './field-findings.js'
import { managedType } from './managed-type.js'
import { managerOf } from './manager-of.js'
import { unsetMetadata } from './object-meta.js'
import { patchAction } from './patch-action.js'
import { parseWriteOptions } from './request-options.js'
import { matchName } from './update.js'
import { updateObject } from './update-object.js'
import type { VerbRequest } from './verb.js'
import { runPipeline, type WriteInProgress } from './write-pipeline.js'
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
  if (!handler || (isPatch && !isPatchable(subresource)))
    throw type.definition.unstructured ? methodNotSupported(type, context.info.verb) : methodNotAllowed()
  const actionType = actionTypeOf(subresource)
  context.representation = services.representations.negotiatePlain(context, type, actionType.version)
  const { info } = context
  const read = verb === 'get' || isPatch ? undefined : await readActionBody(request, actionType)
  const sent = read && verb === 'create' ? { ...read, object: withOwner(request, actionType, read) } : read
  if (verb === 'create' && sent) {
    // What is sent is judged by itself before anybody looks whether there is something to do it to.
    await admit(request, subresource, verb, sent, undefined)
    ;(subresource.check as ((object: ApiObject, name: string) => void) | undefined)?.(sent.object, info.name)
  }
  const found = await services.store.get(type.key(info.namespace, info.name))
  if (!found) throw notFound({ group: type.group, resource: type.resource, name: info.name })
  const target = await type.toWorking(fromStoredBody(found.body), request.version)
  const body = isPatch ? await readActionPatch(request, subresource, actionType, target) : sent
  if (verb === 'update' && body) matchName(body.object, info.name)
  if (verb !== 'create') await admit(request, subresource, verb, body, target)
  const actionRequest = makeActionRequest(request, body, target)
  const answer = await handler(actionRequest, services.resolve(type.pluginOf(info.subresource), subresource.needs))
  return respond(request, actionType, answer, verb === 'create' ? 201 : 200)
}

/** What can be read and written can also be patched: the patch changes what reading shows. */
async function readActionPatch(
  request: VerbRequest,
  subresource: ActionSubresource,
  actionType: ActionType,
  target: ApiObject,
): Promise<ActionBody> {
  const shown = (await shownBy(request, subresource, target)) as ApiObject
  return patchAction(request, actionType, shown, subresource.appliedFields)
}

/** What reading the subresource shows; undefined when it cannot be read. */
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

/** What is sent to create something belongs to its sender, as in any create, though it is not stored. */
function withOwner(request: VerbRequest, { version }: ActionType, { object, dryRun }: ActionBody): ApiObject {
  const { services, context, type } = request
  const { info, exchange } = context
  const target = new WriteTarget(services, context, type, version, info.subresource, { dryRun })
  const manager = managerOf(info.query.get('fieldManager') ?? '', exchange.headers['user-agent'])
  const owned = trackUpdate(managedType(target), undefined, object, manager, target.now)
  return { ...owned, metadata: { ...unsetMetadata(services.vendor.level), ...owned.metadata } }
}

/** POST to a virtual type: nothing is stored, the answer is computed. */
export async function createVirtual(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  context.representation = services.representations.negotiatePlain(context, type, version)
  const virtual = type.definition.virtual!
  const actionType = { group: type.group, kind: type.kind, version }
  const body = await readActionBody(request, actionType)
  // The namespace in the body is the business of the type: a review has more to say about it than that it is foreign.
  const target = new WriteTarget(services, context, type, version, '', { dryRun: body.dryRun })
  const manager = managerOf(context.info.query.get('fieldManager') ?? '', context.exchange.headers['user-agent'])
  const owned = trackUpdate(managedType(target), undefined, body.object, manager, target.now)
  const bodyErrors = virtual.validate as WriteInProgress['bodyErrors']
  const name = owned.metadata.name ?? ''
  await runPipeline({ kind: 'action', target, operation: 'create', name, object: owned, bodyErrors })
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

interface ActionBody {
  readonly object: ApiObject
  readonly dryRun: boolean
  /** What is applied to the target, if the body is an applied one. */
  readonly applied?: { readonly fields: Readonly<Record<string, unknown>>; readonly force: boolean }
}

async function readActionBody(request: VerbRequest, actionType: ActionType): Promise<ActionBody> {
  const { services, context } = request
  const { kind, version } = actionType
  const { dryRun, fieldValidation } = parseWriteOptions(services.vendor, 'CreateOptions', context.info.query)
  const format = bodyFormat(context.exchange.headers['content-type'], services.vendor)
  const bytes = await context.readBody(services.limits.bodyBytes)
  const object =
    format === 'protobuf'
      ? services.representations.protobuf.decodeObject(bytes, kind, version, context.maxObjectItems)
      : decodeAction(
          context,
          actionType,
          await parseBody(services.yaml, format, bytes, bodyLimits(context, fieldValidation)),
          fieldValidation,
        )
  context.recordRequestObject(() => ({ kind, apiVersion: version.groupVersion, ...copyJson(object) }))
  context.recordMetadata(object.metadata)
  version.fillDefaults(object)
  return { object, dryRun }
}

function decodeAction(
  context: VerbRequest['context'],
  { kind, version, former = [] }: ActionType,
  parsed: TextBody,
  fieldValidation: FieldValidation,
): ApiObject {
  if (!parsed.repeatedKeys) refuseOddNumbers(parsed.text, kind, () => version.model)
  return decodeValue(context, { kind }, version, asCurrent(parsed.value, former, version), fieldValidation, unknown =>
    repeatedFields(parsed, fieldValidation, unknown),
  )
}

/** A body of a former version says the same as one of this. */
function asCurrent(value: unknown, former: readonly string[], { groupVersion }: CompiledVersion): unknown {
  const { apiVersion } = (value ?? {}) as { apiVersion?: unknown }
  return former.some(known => known === apiVersion) ? { ...(value as object), apiVersion: groupVersion } : value
}

/** Takes the body of an action through its steps. Reading one is not a write, unless it connects. */
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
  const { group, version: bodyVersion, objectKind } = subresource
  const operation = subresource.connect ? 'connect' : verb === 'update' ? 'update' : 'create'
  await runPipeline({
    kind: 'action',
    target: new WriteTarget(services, context, type, version, info.subresource, { dryRun: body?.dryRun ?? false }),
    operation,
    name: info.name,
    object: body?.object,
    stored: operation === 'update' && stored ? await shownBy(request, subresource, stored) : undefined,
    action: { kind: { group, version: bodyVersion, kind: objectKind }, version: actionTypeOf(subresource).version },
  })
}

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
    updateTarget: async change => {
      // An action decides by itself what it changes: the resets and update rules of the main path are not for it.
      const working = type.workingVersion(version)
      const write = new WriteTarget(services, context, type, working, '', { dryRun }, {})
      const manager = managerOf(info.query.get('fieldManager') ?? '', context.exchange.headers['user-agent'])
      const apply = (live: ApiObject, { fields, force }: NonNullable<ActionBody['applied']>) => {
        const identity = { apiVersion: working.groupVersion, kind: type.kind, metadata: { name: info.name } }
        return applyObject(
          managedType(write, info.subresource),
          live,
          { ...copyJson(fields), ...identity },
          manager,
          force,
          write.now,
        )
      }
      const written = await updateObject(write, {
        kind: 'updateByAction',
        name: info.name,
        manager,
        ownedThrough: info.subresource,
        isTracked: body?.applied !== undefined,
        isUnconditional: true,
        produce: live => {
          const draft = body?.applied ? apply(live!, body.applied) : copyJson(live!)
          const changing = change(draft, live!)
          return changing ? changing.then(() => draft) : draft
        },
      })
      return type.toWorking(fromStoredBody(written.body), working)
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
  // Handlers state what matters; the schema knows what else is always written.
  const body = { ...version.decode(given), ...(given['metadata'] ? { metadata: given['metadata'] } : {}) }
  if (context.representation!.format === 'protobuf')
    return representations.respondProtobuf(context, code, kind, version, body as never)
  return representations.respondPlain(context, code, { kind, apiVersion: version.groupVersion, ...body })
}
