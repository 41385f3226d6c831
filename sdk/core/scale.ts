import { services } from '../plugin/services.js'
import { badRequest, invalid } from '../resource/api-errors.js'
import { ageColumn, nameColumn } from '../resource/columns.js'
import { type FieldError, invalidValue, requiredValue } from '../resource/field-errors.js'
import { type ApiObject, Kind } from '../resource/meta.js'
import type { SentObjectOf } from '../resource/resource.js'
import { embedded, field, Int32, required, Struct, Text } from '../resource/schema.js'
import type { ActionSubresource } from '../resource/subresources.js'
import { isKnownFinalizer, isQualifiedName, nameIsDnsSubdomain } from '../validation/object-names.js'
import { validateLabels } from '../validation/selectors.js'
import { readScalesNameTheirObject, scalesTakeNamespace } from './pod-spec/differences.js'
import { validateAnnotations } from './pod-spec/validate-annotations.js'
import type { PodTemplateSpec } from './pod-spec.js'
import { refuseOtherObject, scaleAsTable } from './scaled-object.js'
import { checkNotNegative } from './validation/field-rules.js'

/** The desired and actual number of Pods, for programs that do not know the type. */
export const Scale = Kind(
  'autoscaling.v1.Scale',
  {
    spec: embedded(
      2,
      Struct(
        'autoscaling.v1.ScaleSpec',
        { replicas: field(1, Int32(), 'The number of replicas.') },
        { description: 'The desired number of replicas.' },
      ),
      'Desired state.',
    ),
    status: embedded(
      3,
      Struct(
        'autoscaling.v1.ScaleStatus',
        {
          replicas: required(1, Int32(), 'The number of replicas.'),
          selector: field(2, Text(), 'Labels of the replicas, as text.'),
        },
        { description: 'The actual number of replicas.' },
      ),
      'Observed state. Written by the system.',
    ),
  },
  { description: 'The number of replicas of an object.' },
)
export type Scale = SentObjectOf<typeof Scale>

/** The metadata of a scale is not stored, but must be possible. */
const checkScaleMetadata = ({ metadata }: Scale, vendorName: string): FieldError[] => [
  ...(metadata?.generateName ? nameIsDnsSubdomain(metadata.generateName, true) : []).map(text =>
    invalidValue('metadata.generateName', metadata?.generateName, text),
  ),
  ...checkNotNegative(metadata?.generation, 'metadata.generation'),
  ...validateLabels(metadata?.labels, 'metadata.labels'),
  ...validateAnnotations(metadata?.annotations, 'metadata.annotations'),
  ...(metadata?.ownerReferences ?? []).flatMap(owner =>
    (['apiVersion', 'kind', 'name', 'uid'] as const)
      .filter(field => !owner[field])
      .map(field => invalidValue(`metadata.ownerReferences.${field}`, owner[field], 'must not be empty')),
  ),
  ...(metadata?.finalizers ?? []).flatMap(finalizer =>
    isQualifiedName(finalizer).map(why => invalidValue('metadata.finalizers', finalizer, why)),
  ),
  ...(metadata?.finalizers ?? []).flatMap((finalizer, i) =>
    isKnownFinalizer(finalizer, vendorName)
      ? []
      : [
          invalidValue(
            `metadata.finalizers[${i}]`,
            finalizer,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  ),
]

interface Scalable {
  readonly spec?: { replicas?: number; template?: PodTemplateSpec }
  readonly status?: { replicas?: number }
}

/**
 * The subresource `scale` of a type whose objects have spec.replicas and status.replicas. `selectorText` returns the label selector of the
 * Pods as text.
 */
export function scaleSubresource<T extends Scalable>(
  subject: { readonly group: string; readonly resource: string },
  selectorText: (object: T) => string,
  {
    // biome-ignore lint/correctness/noUnusedFunctionParameters: the signature was released
    templateField,
    unreadScale,
  }: {
    /** Has no effect: the warnings of a scale are those of the type. */
    readonly templateField?: string
    /** The name of a missing scale in read errors, if it is not that of the subresource. */
    readonly unreadScale?: { readonly group: string; readonly resource: string }
  } = {},
) {
  const scaleOf = (object: ApiObject): Scale => {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
    const { spec, status } = object as unknown as T
    const selector = selectorText(object as unknown as T)
    return {
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: spec?.replicas ? { replicas: spec.replicas } : {},
      status: { replicas: status?.replicas ?? 0, ...(selector === '' ? {} : { selector }) },
    }
  }
  /** Sets the number of Pods if the object still has the version that the client saw. */
  const rescale = (object: ApiObject, { metadata, spec }: Scale): void => {
    refuseOtherObject(subject, object.metadata, metadata)
    const replicas = spec?.replicas ?? 0
    const before = (object as Scalable).spec
    // Even if a type counts its generations itself.
    if (before?.replicas !== replicas && object.metadata.generation !== undefined) object.metadata.generation += 1
    Object.assign(object, { spec: { ...before, replicas } })
  }
  return {
    kind: 'action',
    group: 'autoscaling',
    version: 'v1',
    objectKind: 'Scale',
    schema: Scale,
    ...scaleAsTable({ ...nameColumn, format: '' }, ageColumn),
    scalePaths: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    missing: (verb, level) =>
      verb === 'get' && !level.has(readScalesNameTheirObject)
        ? (unreadScale ?? { ...subject, resource: `${subject.resource}/scale` })
        : subject,
    appliedFields: ({ spec }: Scale) => ({ spec: { replicas: spec?.replicas ?? 0 } }),
    needs: { vendor: services.vendor },
    handlers: {
      get: ({ target }) => ({ object: scaleOf(target as ApiObject) }),
      async update(request, { vendor }) {
        const body = request.body as ApiObject & Scale
        const { namespace } = body.metadata
        if (namespace && namespace !== request.namespace)
          throw badRequest(
            `the namespace of the object (${namespace}) does not match that of the request (${request.namespace})`,
          )
        const errors = [
          ...(namespace || vendor.level.has(scalesTakeNamespace) ? [] : [requiredValue('metadata.namespace')]),
          ...checkScaleMetadata(body, vendor.name),
          ...checkNotNegative(body.spec?.replicas, 'spec.replicas'),
        ]
        if (errors.length > 0) throw invalid({ group: 'autoscaling', kind: 'Scale' }, request.name, errors)
        const updated = await request.updateTarget(draft => rescale(draft, body), {
          isUpdate: true,
          unowned: body.spec?.replicas ? undefined : ['spec', 'replicas'],
        })
        return { object: scaleOf(updated) }
      },
    },
  } satisfies ActionSubresource<{ readonly vendor: typeof services.vendor }>
}
