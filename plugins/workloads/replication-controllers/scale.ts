import {
  type ActionSubresource,
  type ApiObject,
  conflict,
  embedded,
  type FieldError,
  field,
  Int32,
  invalid,
  Kind,
  needed,
  type ObjectOf,
  Struct,
  Text,
} from 'orch/sdk'
import type { ReplicationController } from './schema.js'
import { checkNotNegative } from './validation.js'

/** How many Pods there shall be and are, for programs that know nothing else of the type. */
export const Scale = Kind('autoscaling.v1.Scale', {
  spec: embedded(2, Struct('autoscaling.v1.ScaleSpec', { replicas: field(1, Int32()) })),
  status: embedded(
    3,
    Struct('autoscaling.v1.ScaleStatus', { replicas: needed(1, Int32()), selector: field(2, Text()) }),
  ),
})
export type Scale = ObjectOf<typeof Scale>

const selectorText = (selector: Readonly<Record<string, string>> = {}) =>
  Object.keys(selector)
    .sort()
    .map(key => `${key}=${selector[key]}`)
    .join(',')

/** The scale of a controller. */
function scaleOf(controller: ReplicationController): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = controller.metadata ?? {}
  const { replicas } = controller.spec ?? {}
  const selector = selectorText(controller.spec?.selector)
  return {
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas ? { replicas } : {},
    status: { replicas: controller.status?.replicas ?? 0, ...(selector === '' ? {} : { selector }) },
  }
}

const validateScale = ({ spec }: Scale): FieldError[] => checkNotNegative(spec?.replicas, 'spec.replicas')

/** Sets the number of Pods, on the version of the controller that the client saw. */
function rescale(controller: ApiObject & ReplicationController, { metadata, spec }: Scale): void {
  const { resourceVersion, name, uid, generation = 0 } = controller.metadata
  const subject = { group: '', resource: 'replicationcontrollers', name }
  if (metadata?.uid && metadata.uid !== uid)
    throw conflict(subject, `the uid that was sent is ${metadata.uid}, that of the object ${uid}`)
  if (metadata?.resourceVersion && metadata.resourceVersion !== resourceVersion)
    throw conflict(
      subject,
      'the object has been modified; please apply your changes to the latest version and try again',
    )
  const replicas = spec?.replicas ?? 0
  if (controller.spec?.replicas !== replicas) controller.metadata.generation = generation + 1
  Object.assign(controller, { spec: { ...controller.spec, replicas } })
}

export const scale = {
  kind: 'action',
  group: 'autoscaling',
  version: 'v1',
  objectKind: 'Scale',
  schema: Scale,
  handlers: {
    get: ({ target }) => ({ object: scaleOf(target as unknown as ReplicationController) }),
    async update(request) {
      const body = request.body as ApiObject & Scale
      const errors = validateScale(body)
      if (errors.length > 0) throw invalid({ group: 'autoscaling', kind: 'Scale' }, request.name, errors)
      const updated = await request.updateTarget(draft => rescale(draft as ApiObject & ReplicationController, body))
      return { object: scaleOf(updated as unknown as ReplicationController) }
    },
  },
} satisfies ActionSubresource
