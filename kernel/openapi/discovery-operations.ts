import { metaType } from '../schema/meta-types.js'
import type { Definitions } from './definitions.js'
import type { OpenApiNames } from './names.js'
import type { Operation, ServedType } from './operation.js'

/** The operations of discovery. */
export function discoveryOperations(
  types: readonly ServedType[],
  mediaTypes: readonly string[],
  names: OpenApiNames,
  definitions: Definitions,
): Operation[] {
  const versionsOf = new Map<string, Set<string>>()
  for (const { definition, version } of types) {
    versionsOf.set(definition.group, (versionsOf.get(definition.group) ?? new Set()).add(version.name))
  }
  const get = (path: string, id: string, tag: string, description: string, answer: string): Operation => ({
    path,
    method: 'get',
    id,
    tag,
    description,
    consumes: mediaTypes,
    produces: mediaTypes,
    parameters: [],
    responses: { 200: answer, 401: undefined },
  })
  const meta = (name: 'APIVersions' | 'APIGroup' | 'APIGroupList' | 'APIResourceList'): string =>
    definitions.struct(metaType(name, names.level), { group: '', version: 'v1', kind: name })
  const groups = get('/apis/', 'getAPIVersions', 'apis', 'get available API versions', meta('APIGroupList'))
  const perGroup = [...versionsOf].flatMap(([group, versions]) => {
    const root = group === '' ? '/api' : `/apis/${group}`
    const about = get(
      `${root}/`,
      group === '' ? 'getCoreAPIVersions' : `get${names.operationScope(group)}APIGroup`,
      names.tag(group),
      group === '' ? 'get available API versions' : 'get information of a group',
      group === '' ? meta('APIVersions') : meta('APIGroup'),
    )
    const resources = [...versions].map(version =>
      get(
        `${root}/${version}/`,
        `get${names.operationScope(group, version)}APIResources`,
        names.tag(group, version),
        'get available resources',
        meta('APIResourceList'),
      ),
    )
    return [about, ...resources]
  })
  return [groups, ...perGroup]
}
