import type { ApiObject } from 'orch/sdk'
import { type Client, ConnectionError, isObjectNotFound, type KindInfo, type ResourceClient } from 'orch/sdk/client'
import type { Call } from '../../command.js'
import { defaultChunk } from '../../objects/list-pages.js'
import { namedEverywhere } from '../../objects/select-objects.js'
import { subresourcePath } from '../../objects/subresource.js'
import type { Format } from '../../output/format.js'
import type { Session } from '../../session/session.js'
import { UsageError } from '../../usage-error.js'

/** A type and the requested names; none means all. */
export interface Wanted {
  readonly kind: KindInfo
  readonly namespace: string
  readonly names: string[]
  readonly collection: ResourceClient<ApiObject>
}
/** The request of a `get` command. */
export interface Query {
  readonly collections: readonly Wanted[]
  readonly format: Format
  readonly selectors: { readonly labelSelector?: string; readonly fieldSelector?: string }
  readonly chunk: number
  readonly sortPath?: string
  readonly watches: boolean
  readonly ignoresMissing: boolean
  readonly allNamespaces: boolean
  /** The subresource to show instead of the objects. */
  readonly subresource?: string
  /** Errors of named objects; the other objects are shown anyway. */
  readonly failures: unknown[]
}

/** Gets each named object. Errors are collected, and missing objects skipped if that is allowed. */
export async function getNamed<T>(
  collection: ResourceClient<T>,
  names: readonly string[],
  { ignoresMissing, failures }: Query,
  get = (name: string): Promise<T> => collection.get(name),
): Promise<T[]> {
  const found: T[] = []
  for (const name of names)
    try {
      found.push(await get(name))
    } catch (error) {
      if (error instanceof ConnectionError) throw error
      if (!ignoresMissing || !isObjectNotFound(error)) failures.push(error)
    }
  return found
}

/** Reads a named object, or its requested subresource. */
export const getter =
  (client: Client, { kind, namespace }: Wanted, { subresource }: Query) =>
  (name: string): Promise<ApiObject> =>
    subresource === undefined
      ? client
          .resource<ApiObject>(kind)
          .in(kind.namespaced ? namespace : '')
          .get(name)
      : client.request({ method: 'GET', path: subresourcePath({ kind, namespace, name }, subresource), headers: {} })

interface Named {
  readonly kind: KindInfo
  readonly name?: string
  readonly namespace?: string
}

export function queryOf({ flags }: Call, session: Session, targets: readonly Named[], format: Format): Query {
  const allNamespaces = flags.is('all-namespaces')
  const labelSelector = flags.text('selector')
  const fieldSelector = flags.text('field-selector')
  const hasNames = targets.some(({ name }) => name !== undefined)
  if (hasNames && (labelSelector !== undefined || fieldSelector !== undefined))
    throw new UsageError('name objects or select them with -l, not both')
  if (hasNames && allNamespaces) throw namedEverywhere()
  const subresource = flags.text('subresource')
  if (subresource !== undefined && (!hasNames || targets.some(({ name }) => name === undefined)))
    throw new UsageError('--subresource needs named objects: orchctl get deployment/web --subresource=status')
  const collections = new Map<string, Wanted>()
  for (const { kind, name, namespace = allNamespaces ? '' : session.namespace } of targets) {
    const key = `${kind.group}/${kind.version}/${kind.resource}/${namespace}`
    const wanted = collections.get(key) ?? {
      kind,
      namespace,
      names: [],
      collection: session.collection<ApiObject>(kind, namespace),
    }
    if (name !== undefined) wanted.names.push(name)
    collections.set(key, wanted)
  }
  return {
    collections: [...collections.values()],
    format,
    selectors: { labelSelector, fieldSelector },
    chunk: flags.number('chunk-size') ?? defaultChunk,
    sortPath: flags.text('sort-by'),
    watches: flags.is('watch') || flags.is('watch-only'),
    ignoresMissing: flags.is('ignore-not-found'),
    allNamespaces,
    subresource,
    failures: [],
  }
}

/** The selectors of a watch, where a name becomes a field selector. */
export function watchSelectors({ selectors }: Query, { names }: Wanted): Query['selectors'] {
  if (names.length > 1) throw new UsageError('a watch follows one object or a whole collection, not several names')
  return names.length === 1 ? { fieldSelector: `metadata.name=${names[0]}` } : selectors
}
