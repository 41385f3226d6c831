import { badRequest } from 'orch/sdk'
import { createObject } from './create-object.js'
import { readObject } from './decode-object.js'
import { managerOf } from './manager-of.js'
import { refuseOtherNamespace } from './object-meta.js'
import { parseWriteOptions } from './request-options.js'
import type { VerbRequest } from './verb.js'
import { parseVersion } from './versions.js'
import { WriteTarget } from './write-target.js'

/** POST to a collection. */
export async function create({ services, context, type, version }: VerbRequest): Promise<void> {
  const { info, exchange } = context
  context.representation = services.representations.negotiate(context, type, version)
  const options = parseWriteOptions(services.vendor, 'CreateOptions', info.query)
  const sent = await readObject(services, context, type, version, options.fieldValidation)
  refuseOtherNamespace(sent, info.namespace)
  const { resourceVersion } = sent.metadata
  if (resourceVersion && parseVersion(resourceVersion) > 0 && !options.dryRun) {
    throw badRequest('resourceVersion should not be set on objects to be created')
  }
  version.fillDefaults(sent)
  const { dryRun, fieldManager } = options
  const target = new WriteTarget(services, context, type, version, '', {
    dryRun,
    fieldManager,
    fieldValidation: info.query.get('fieldValidation'),
  })
  const written = await createObject(target, sent, managerOf(fieldManager, exchange.headers['user-agent']))
  return services.representations.respond(context, 201, type, version, written.body)
}
