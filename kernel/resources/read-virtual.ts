import { type ApiObject, notFound } from 'orch/sdk'
import { attributesOf } from '../types/stored-form.js'
import { parseSelection } from './selection.js'
import type { VerbRequest } from './verb.js'

/** GET of a virtual type: its objects are computed for each request. */
export async function readVirtual(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  const { representations } = services
  const { query, verb, namespace, name } = context.info
  context.representation = representations.negotiate(context, type, version)
  const { filter } = parseSelection(type, version, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '')
  const { virtual } = type.definition
  const asked = { namespace, name }
  const all: ApiObject[] = (await virtual?.list?.(services.resolve(type.plugin, virtual.needs), asked)) ?? []
  const objects = namespace === '' ? all : all.filter(({ metadata }) => metadata.namespace === namespace)
  if (verb === 'list') {
    const selected = filter ? objects.filter(object => filter(attributesOf(type, object))) : objects
    return representations.respondList(context, type, version, {}, selected)
  }
  const found = objects.find(({ metadata }) => metadata.name === name)
  if (!found) throw notFound({ group: type.group, resource: type.resource, name })
  return representations.respondObject(context, 200, type, version, found)
}
