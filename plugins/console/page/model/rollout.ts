import { type Anything, type ApiObject, requestJson } from './api.js'
import { findType } from './catalogue.js'
import type { Change } from './change-object.js'
import { collectionPath } from './paths.js'
import type { ResourceType } from './resource-type.js'

/** The revisions of a workload, and rollbacks to them. */

export interface Revision {
  readonly number: number
  readonly object: ApiObject
  readonly type: ResourceType
  readonly template: Anything
  readonly replicas: number | undefined
  /** The change that rolls back to this revision. */
  readonly change: Change
}
/** The types that store the revisions of workloads. */
const keepers: Readonly<Record<string, string>> = {
  Deployment: 'replicasets',
  StatefulSet: 'controllerrevisions',
  DaemonSet: 'controllerrevisions',
}

export const hasRollout = ({ group, kind }: ResourceType): boolean => group === 'apps' && keepers[kind] !== undefined

const hashLabel = 'pod-template-hash'
function withoutHash(template: Anything): Anything {
  const { [hashLabel]: _, ...labels } = template?.metadata?.labels ?? {}
  return { ...template, metadata: { ...template?.metadata, labels } }
}

/** Newest first. */
export async function revisionsOf(type: ResourceType, { metadata }: ApiObject): Promise<Revision[]> {
  const keeper = findType('apps', keepers[type.kind] ?? '')
  if (!keeper) return []
  const { items }: { items: ApiObject[] } = await requestJson(`${collectionPath(keeper, metadata.namespace)}?limit=500`)
  return items
    .filter(each => each.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
    .map(object => (keeper.resource === 'replicasets' ? ofReplicaSet(keeper, object) : ofRevision(keeper, object)))
    .sort((left, right) => right.number - left.number)
}

function ofReplicaSet(type: ResourceType, object: ApiObject): Revision {
  const noted = Object.entries(object.metadata.annotations ?? {}).find(([key]) => key.endsWith('/revision'))
  const template = withoutHash(object['spec']?.template)
  return {
    number: Number(noted?.[1] ?? 0),
    object,
    type,
    template,
    replicas: object['status']?.replicas ?? 0,
    change: {
      method: 'PATCH',
      contentType: 'application/json-patch+json',
      body: [{ op: 'replace', path: '/spec/template', value: template }],
    },
  }
}
function ofRevision(type: ResourceType, object: ApiObject): Revision {
  return {
    number: Number(object['revision'] ?? 0),
    object,
    type,
    template: object['data']?.spec?.template,
    replicas: undefined,
    change: { method: 'PATCH', contentType: 'application/strategic-merge-patch+json', body: object['data'] },
  }
}

/** The progress of a rollout. */
export function progressOf({ kind }: ResourceType, { spec, status }: Anything) {
  if (kind === 'DaemonSet')
    return {
      wanted: status?.desiredNumberScheduled ?? 0,
      updated: status?.updatedNumberScheduled ?? 0,
      ready: status?.numberReady ?? 0,
      available: status?.numberAvailable ?? 0,
    }
  return {
    wanted: spec?.replicas ?? 1,
    updated: status?.updatedReplicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
  }
}
export const imagesOf = (template: Anything): string =>
  ((template?.spec?.containers ?? []) as Anything[]).map(({ image }) => image).join(', ')
