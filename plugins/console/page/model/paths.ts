import { isSegment } from './path-segment.js'
import type { ResourceType } from './resource-type.js'

/** Paths of collections and objects on the server. */

declare const isObjectPath: unique symbol
/** The path of one object. Only `objectPath` returns it, so that no other path can be mistaken for one. */
export type ObjectPath = string & { readonly [isObjectPath]: true }

/** Throws if the text is not a valid name. */
export function segment(what: string, text: string | undefined): string {
  if (!isSegment(text)) throw new Error(`${JSON.stringify(text ?? '')} is not the name of ${what}`)
  return encodeURIComponent(text)
}

/** The fields of a type that make up its path. */
export type CollectionType = Pick<ResourceType, 'group' | 'version' | 'resource' | 'isNamespaced'>

/** The path of a collection, in all namespaces by default. */
export function collectionPath(type: CollectionType, namespace?: string): string {
  const version = segment('a version', type.version)
  const root = type.group === '' ? `/api/${version}` : `/apis/${segment('a group', type.group)}/${version}`
  const within = type.isNamespaced && namespace ? `/namespaces/${segment('a namespace', namespace)}` : ''
  return `${root}${within}/${segment('a resource', type.resource)}`
}

export function objectPath(type: ResourceType, namespace: string | undefined, name: string): ObjectPath {
  if (type.isNamespaced && !namespace) throw new Error(`${type.kind} ${name} has no namespace`)
  return `${collectionPath(type, namespace)}/${segment('an object', name)}` as ObjectPath
}
