import type { ApiObject } from 'orch/sdk'
import type { KindInfo, Kinds, ResourceClient } from 'orch/sdk/client'
import type { Flags } from '../arguments/flags.js'
import { objectName } from '../output/print-objects.js'
import type { Session } from '../session/session.js'
import { UsageError } from '../usage-error.js'
import type { Manifest } from './read-manifests.js'
import { kindOfObject } from './targets.js'

/** An object of a file, and its collection. */
export interface Placed {
  readonly object: ApiObject
  readonly kind: KindInfo
  readonly namespace: string
  readonly collection: ResourceClient<ApiObject>
  /** `configmap/a` */
  readonly label: string
}

/** Finds the type and the namespace of an object: its own, that of `-n`, or that of the context. */
export function placeObject({ object, origin }: Manifest, kinds: Kinds, session: Session, flags: Flags): Placed {
  const kind = kindOfObject(object, kinds)
  const requested = flags.text('namespace')
  const own = object.metadata.namespace
  const label = objectName(kind, object.metadata.name ?? object.metadata.generateName ?? '')
  if (!kind.namespaced) return { object, kind, namespace: '', collection: session.collection(kind, ''), label }
  if (own && requested && own !== requested)
    throw new UsageError(
      `${origin}: ${label} is in namespace "${own}", but -n is "${requested}"; leave out one of them`,
    )
  const namespace = own || session.namespace
  const placed = { ...object, metadata: { ...object.metadata, namespace } }
  return { object: placed, kind, namespace, collection: session.collection(kind, namespace), label }
}
