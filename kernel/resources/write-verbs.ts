import type { Vendor } from 'orch/sdk'
import { bodyFormat } from '../representation/decode-body.js'
import { confirmAllowed } from './further-permission.js'
import { managerOf } from './manager-of.js'
import { patchTypeOf } from './read-patch.js'
import { parsePatchOptions, parseWriteOptions, type WriteRequestOptions } from './request-options.js'
import type { VerbRequest } from './verb.js'
import { createObject, type UpdateRequest, updateObject } from './write-object.js'
import { applySource, changeSource, createSource, patchSource, type WriteSource } from './write-sources.js'
import { WriteTarget } from './write-target.js'

/** A verb that writes an object: how its options and its body are read. The steps and the commit are shared. */
interface WriteVerb {
  options(vendor: Vendor, query: URLSearchParams): WriteRequestOptions & { readonly force?: boolean }
  source(request: VerbRequest, options: ReturnType<WriteVerb['options']>): Promise<WriteSource>
  /** Creates the object; fails if it exists. */
  readonly isCreate?: boolean
  /** Whether it may create an object that does not exist. The user needs that permission as well. */
  mayCreate?(target: WriteTarget): boolean
}

const writeVerbs = {
  create: {
    options: (vendor, query) => parseWriteOptions(vendor, 'CreateOptions', query),
    source: createSource,
    isCreate: true,
  },
  update: {
    options: (vendor, query) => parseWriteOptions(vendor, 'UpdateOptions', query),
    source: changeSource,
    mayCreate: ({ strategy, subresource }) => strategy.createOnUpdate === true && subresource === '',
  },
  patch: {
    options: (vendor, query) => parsePatchOptions(vendor, query, false),
    source: patchSource,
  },
  apply: {
    options: (vendor, query) => parsePatchOptions(vendor, query, true),
    source: applySource,
    mayCreate: ({ subresource }) => subresource === '',
  },
} as const satisfies Readonly<Record<string, WriteVerb>>

/** POST to a collection. */
export const create = (request: VerbRequest): Promise<void> => write(request, writeVerbs.create)

/** PUT to an object or to a subresource that is the same object. */
export const update = (request: VerbRequest): Promise<void> => write(request, writeVerbs.update)

/** PATCH: a patch of the live object, or an applied configuration. */
export async function patch(request: VerbRequest): Promise<void> {
  const { context, type } = request
  const patchType = patchTypeOf(context.exchange.headers['content-type'], type)
  await write(request, patchType === 'application/apply-patch+yaml' ? writeVerbs.apply : writeVerbs.patch)
}

async function write(request: VerbRequest, verb: WriteVerb): Promise<void> {
  const { services, context, type, version } = request
  const { info, exchange } = context
  context.representation = services.representations.negotiate(context, type, version)
  // A new object in a format that is not known is refused before its options are looked at.
  if (verb.isCreate) bodyFormat(exchange.headers['content-type'], services.vendor)
  const options = verb.options(services.vendor, info.query)
  const source = await verb.source(request, options)
  const { dryRun, fieldManager } = options
  const fieldValidation = info.query.get('fieldValidation')
  const target = new WriteTarget(request, info.subresource, { dryRun, fieldManager, fieldValidation })
  const manager = managerOf(fieldManager, exchange.headers['user-agent'])
  const mayCreate = verb.mayCreate?.(target) ? () => confirmAllowed(request, 'create') : undefined
  const written = verb.isCreate
    ? await createObject(target, await source.produce(undefined, target), manager)
    : await updateObject(target, changeOf(source, info.name, manager, mayCreate))
  return services.representations.respond(context, written.isCreated ? 201 : 200, type, version, written.body)
}

/** Field by field: a spread of sources of different shapes costs 10 µs, which `npm run bench:compare -- --only update-c16` shows. */
const changeOf = (
  { produce, isPatch = false, isTracked = false }: WriteSource,
  name: string,
  manager: string,
  mayCreate: UpdateRequest['mayCreate'],
): UpdateRequest => ({ produce, isPatch, isTracked, name, manager, mayCreate })
