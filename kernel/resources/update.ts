import { type ApiObject, badRequest } from 'orch/sdk'
import { readObject } from './decode-object.js'
import { confirmAllowed } from './further-permission.js'
import { managerOf } from './manager-of.js'
import { refuseOtherNamespace } from './object-meta.js'
import { parseWriteOptions } from './request-options.js'
import { updateObject } from './update-object.js'
import type { VerbRequest } from './verb.js'
import { WriteTarget } from './write-target.js'

/** PUT to an object or to a subresource that is the same object. */
export async function update(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  const { info, exchange } = context
  context.representation = services.representations.negotiate(context, type, version)
  const options = parseWriteOptions(services.vendor, 'UpdateOptions', info.query)
  const sent = await readObject(services, context, type, version, options.fieldValidation)
  matchName(sent, info.name)
  refuseOtherNamespace(sent, info.namespace)
  version.fillDefaults(sent)
  const { dryRun, fieldManager } = options
  const target = new WriteTarget(services, context, type, version, info.subresource, {
    dryRun,
    fieldManager,
    fieldValidation: info.query.get('fieldValidation'),
  })
  const written = await updateObject(target, {
    name: info.name,
    manager: managerOf(fieldManager, exchange.headers['user-agent']),
    // A retry must not see what admission did to the first attempt; the decoder is the fastest copier of its type.
    produce: () => version.decode(sent) as ApiObject,
    mayCreate: target.strategy.createOnUpdate && info.subresource === '' ? () => mayCreate(request) : undefined,
  })
  return services.representations.respond(context, written.isCreated ? 201 : 200, type, version, written.body)
}

/** The object must be the one on the URL. */
export function matchName(object: ApiObject, name: string): void {
  const own = object.metadata.name ?? ''
  if (own === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`)
}

/** An update that creates needs the permission to create as well. */
export const mayCreate = (request: VerbRequest): Promise<void> => confirmAllowed(request, 'create')
