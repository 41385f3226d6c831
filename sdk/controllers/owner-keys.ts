import type { ApiObject, OwnerReference } from '../resource/meta.js'

/** Which owners count. */
export interface OwnerKeysOptions {
  /** Only owners of this API group, whatever the version. */
  readonly group?: string
  /** Only the owner marked as controller. */
  readonly controllerOnly?: boolean
  /** The owners have no namespace, though what they own may have one. */
  readonly clusterScoped?: boolean
}

/** For a loop source: a changed object yields the keys of its owners of this kind, including former ones. */
export function ownerKeys(kind: string, options: OwnerKeysOptions = {}) {
  const { group, controllerOnly = false, clusterScoped = false } = options
  const isSelected = (owner: OwnerReference) =>
    owner.kind === kind &&
    (group === undefined || groupOf(owner.apiVersion) === group) &&
    (!controllerOnly || owner.controller === true)
  return (object: ApiObject, previous: ApiObject | undefined): readonly string[] => {
    const owners = [object, previous].flatMap(one => one?.metadata.ownerReferences ?? []).filter(isSelected)
    const namespace = clusterScoped ? undefined : object.metadata.namespace
    return [...new Set(owners.map(({ name }) => (namespace ? `${namespace}/${name}` : name)))]
  }
}

/** For a loop source: a changed object yields the key of the object that this label names, in the same namespace. */
export function labelKeys(label: string) {
  return (object: ApiObject, previous: ApiObject | undefined): readonly string[] => {
    const names = [object, previous].map(one => one?.metadata.labels?.[label]).filter(name => name !== undefined)
    const { namespace } = object.metadata
    return [...new Set(names.map(name => (namespace ? `${namespace}/${name}` : name)))]
  }
}

/** A reference that makes `owner` the controller of another object, which is then deleted with it. */
export function controllerReference(owner: ApiObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner
  if (!apiVersion || !kind || !metadata.name || !metadata.uid)
    throw new Error('an owner needs apiVersion, kind, name and uid: take it from the API or a cache')
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true }
}

const groupOf = (apiVersion: string) => (apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '')
