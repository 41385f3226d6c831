import { type ApiObject, badRequest } from 'orch/sdk'
import { readObject } from './decode-object.js'
import { managerOf } from './manager-of.js'
import { parseWriteOptions } from './request-options.js'
import type { VerbRequest } from './verb.js'
import { createObject } from './write-path.js'
import { WriteTarget } from './write-target.js'

/** POST to a collection. */
export async function create({ services, context, type, version }: VerbRequest): Promise<void> {
  const { info, exchange } = context
  context.representation = services.representations.negotiate(context, type, version)
  const options = parseWriteOptions(services.vendor, 'CreateOptions', info.query)
  const sent = await readObject(services, context, type, version, options.fieldValidation)
  matchNamespace(sent, info.namespace)
  version.fillDefaults(sent)
  const { dryRun, fieldManager } = options
  const target = new WriteTarget(services, context, type, version, '', 'CreateOptions', { dryRun, fieldManager })
  const written = await createObject(target, sent, managerOf(fieldManager, exchange.headers['user-agent']))
  services.representations.respond(context, 201, type, version, written.body)
}

/** An object without a namespace gets that of the path; one of a cluster-scoped type loses it. */
export function matchNamespace(object: ApiObject, namespace: string): void {
  const own = object.metadata.namespace ?? ''
  if (own === namespace) return
  if (own !== '' && namespace !== '') {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if (namespace === '') delete object.metadata.namespace
  else object.metadata.namespace = namespace
}
