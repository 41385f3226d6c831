import type { ApiObject, Vendor } from 'orch/sdk'
import type { PodTemplate } from '../../objects/pod-template.js'
import type { Selected } from '../../objects/select-objects.js'
import { kindNamed } from '../../objects/targets.js'
import type { Session } from '../../session/session.js'

/** A numbered revision of a Pod template. */
export interface Revision {
  readonly number: number
  readonly cause: string
  readonly template: PodTemplate
  /** Annotations of the ReplicaSet, which a rollback restores on the deployment. */
  readonly annotations: Readonly<Record<string, string>>
}

interface ReplicaSet extends ApiObject {
  spec: { template: PodTemplate }
}
interface ControllerRevision extends ApiObject {
  revision: number
  data: { spec: { template: PodTemplate & { $patch?: string } } }
}

/** Label that distinguishes the Pods of a ReplicaSet. */
const hashLabel = 'pod-template-hash'
export const revisionAnnotation = (vendor: Vendor) => vendor.qualify('revision', 'deployment')

/** The stored revisions of an object, oldest first. */
export async function revisionsOf(
  object: ApiObject,
  { kind, namespace }: Selected,
  session: Session,
): Promise<Revision[]> {
  const vendor = await session.vendor()
  const causeIn = ({ metadata }: ApiObject) => metadata.annotations?.[vendor.qualify('change-cause')] ?? '<none>'
  const owned = async <T extends ApiObject>(type: string): Promise<T[]> => {
    const found: T[] = []
    const of = kindNamed(`${type}.${kind.group}`, await session.kinds())
    for await (const one of session.collection<T>(of, namespace).each())
      if (one.metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === object.metadata.uid))
        found.push(one)
    return found
  }
  const revisions =
    kind.resource === 'deployments'
      ? (await owned<ReplicaSet>('replicasets')).map(one => ({
          number: Number(one.metadata.annotations?.[revisionAnnotation(vendor)] ?? 0),
          cause: causeIn(one),
          template: one.spec.template,
          annotations: one.metadata.annotations ?? {},
        }))
      : (await owned<ControllerRevision>('controllerrevisions')).map(one => {
          const { $patch: _, ...template } = one.data.spec.template
          return { number: one.revision, cause: causeIn(one), template, annotations: {} }
        })
  return revisions.sort((left, right) => left.number - right.number)
}

/** The template without the label of the ReplicaSet. */
export function plainTemplate({ metadata, spec }: PodTemplate): PodTemplate {
  const { [hashLabel]: _, ...labels } = metadata?.labels ?? {}
  return { metadata: { ...metadata, labels }, spec }
}
