import type { ApiObject } from 'orch/sdk'
import type { FlagDefinition } from '../arguments/flags.js'
import type { Session } from '../session/session.js'
import type { Selected } from './select-objects.js'

export const subresourceFlag = (description: string): FlagDefinition => ({
  name: 'subresource',
  kind: 'text',
  value: 'NAME',
  description,
  choices: ['status', 'scale'],
})

/** The path of a subresource of an object. */
export function subresourcePath(
  { kind, namespace, name }: Pick<Selected, 'kind' | 'namespace' | 'name'>,
  subresource: string,
): string {
  const parts = [
    ...(kind.group === '' ? ['api', kind.version] : ['apis', kind.group, kind.version]),
    ...(kind.namespaced && namespace !== '' ? ['namespaces', namespace] : []),
    kind.resource,
    name,
    ...subresource.split('/'),
  ]
  return `/${parts.map(encodeURIComponent).join('/')}`
}

/** Reads an object, or a subresource of it if one is named. */
export function readObject(session: Session, one: Selected, subresource: string | undefined): Promise<ApiObject> {
  if (subresource === undefined) return one.collection.get(one.name)
  return session.client.request({ method: 'GET', path: subresourcePath(one, subresource), headers: {} })
}
