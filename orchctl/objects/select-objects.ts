import type { ApiObject } from 'orch/sdk'
import type { KindInfo, ResourceClient } from 'orch/sdk/client'
import type { Call } from '../command.js'
import { objectName } from '../output/print-objects.js'
import type { Session } from '../session/session.js'
import { UsageError } from '../usage-error.js'
import { placeObject } from './place-object.js'
import { nameIn, readManifests, readsManifests } from './read-manifests.js'
import { readTargets } from './targets.js'

/** An object to work on; it need not exist. */
export interface Selected {
  readonly kind: KindInfo
  readonly name: string
  readonly namespace: string
  readonly collection: ResourceClient<ApiObject>
  /** `configmap/a` */
  readonly label: string
}

/**
 * The objects that arguments, `-f`, `-l`, `--field-selector` and `--all` select. A type alone selects all its objects only with
 * `typeMeansAll`, for reading; a command that writes requires `--all`.
 */
export async function selectObjects(
  call: Call,
  session: Session,
  args = call.args,
  typeMeansAll = false,
): Promise<Selected[]> {
  const { flags, terminal } = call
  const kinds = await session.kinds()
  if (readsManifests(flags)) {
    if (args.length > 0) throw new UsageError('name objects or files, not both')
    const manifests = await readManifests(flags, terminal)
    return manifests.map(manifest => {
      const { kind, namespace } = placeObject(manifest, kinds, session, flags)
      return selected(session, kind, namespace, nameIn(manifest))
    })
  }
  const labelSelector = flags.text('selector')
  const fieldSelector = flags.text('field-selector')
  if (flags.is('all') && (labelSelector || fieldSelector))
    throw new UsageError('--all selects every object of the type: leave out --all or the selector')
  const mayTakeAll = typeMeansAll || flags.is('all') || labelSelector !== undefined || fieldSelector !== undefined
  const chunk = flags.number('chunk-size')
  const limit = chunk === undefined ? {} : { limit: chunk }
  const found: Selected[] = []
  for (const { kind, name } of readTargets(args, kinds)) {
    const namespace = kind.namespaced && !flags.is('all-namespaces') ? session.namespace : ''
    if (name !== undefined) {
      if (flags.is('all') || labelSelector !== undefined || fieldSelector !== undefined)
        throw new UsageError('name objects or select them, not both')
      if (flags.is('all-namespaces')) throw namedEverywhere()
      found.push(selected(session, kind, namespace, name))
      continue
    }
    if (!mayTakeAll) throw new UsageError(`name the ${kind.resource}, select them with -l, or add --all`)
    const collection = session.collection<ApiObject>(kind, namespace)
    for await (const { metadata } of collection.each({ labelSelector, fieldSelector, ...limit }))
      found.push(selected(session, kind, metadata.namespace ?? '', metadata.name ?? ''))
  }
  return found
}

/** The error for a name together with `-A`. */
export const namedEverywhere = () => new UsageError('a named object is in one namespace: leave out -A, or use -n')

function selected(session: Session, kind: KindInfo, namespace: string, name: string): Selected {
  return {
    kind,
    name,
    namespace: kind.namespaced ? namespace : '',
    collection: session.collection<ApiObject>(kind, namespace),
    label: objectName(kind, name),
  }
}
