import { andThen, badRequest, notFound } from 'orch/sdk'
import type { Revision, StoredObject } from 'orch/sdk/host'
import { isTrueParameter } from '../contracts/request-info.js'
import type { VerbRequest } from './verb.js'
import { parseVersion, waitForRevision } from './versions.js'

/** GET of one object. Synchronous from end to end when the engine is. */
export function get(request: VerbRequest): void | Promise<void> {
  const { services, context, type, version } = request
  const { info } = context
  context.representation = services.representations.negotiate(context, type, version)
  const asked = info.query.size === 0 ? null : info.query.get('resourceVersion')
  if (info.query.size > 0 && isTrueParameter(info.query, 'export'))
    throw badRequest('the export parameter is no longer supported')
  if (asked === null || asked === '') return read(request, undefined)
  const revision = parseVersion(asked)
  if (revision === 0) return read(request, 0)
  return waitForRevision(services, revision).then(() => read(request, revision))
}

function read(request: VerbRequest, notOlderThan: Revision | undefined): void | Promise<void> {
  const { services, context, type } = request
  const { info } = context
  const found = services.store.get(type.key(info.namespace, info.name), notOlderThan)
  return andThen(found, object => answer(request, object))
}

function answer(
  { services, context, type, version }: VerbRequest,
  found: StoredObject | undefined,
): void | Promise<void> {
  if (!found) throw notFound({ group: type.group, resource: type.resource, name: context.info.name })
  return services.representations.respond(context, 200, type, version, found.body)
}
