import type { Metadata } from './api.js'
import { apiVersionOf, findKind, listableTypes, typeView } from './catalogue.js'
import { type Gaps, lookThrough } from './look-through.js'
import type { ResourceType } from './resource-type.js'
import { noNamespace } from './route.js'
import { settings } from './session.js'

/** The tree of owners and dependents around an object. */

export interface TreeNode {
  readonly type: ResourceType | undefined
  readonly kind: string
  readonly metadata: Pick<Metadata, 'name' | 'namespace' | 'uid' | 'deletionTimestamp' | 'finalizers'>
  readonly children: TreeNode[]
  /** An owner that does not exist. */
  readonly isMissing?: boolean
}
export interface OwnerTree extends Gaps {
  /** The topmost owners. */
  readonly roots: readonly TreeNode[]
  readonly self: TreeNode
}

const maxObjectsOfType = 2000

/** Searches the namespace of the object (all types, metadata only) for its owners and dependents. */
export async function ownerTree(type: ResourceType, metadata: Metadata): Promise<OwnerTree> {
  const candidates = listableTypes.value.filter(
    each => (metadata.namespace ? each.isNamespaced : true) && each.resource !== 'events' && each.verbs.includes('get'),
  )
  const nodes = new Map<string, TreeNode>()
  const owners = new Map<string, Metadata['ownerReferences']>()
  const accept = `application/json;as=PartialObjectMetadataList;g=${settings.value.metaGroup};v=v1`
  const gaps = await lookThrough(
    candidates,
    metadata.namespace,
    { most: maxObjectsOfType, accept },
    (looked, items) => {
      for (const { metadata: found } of items as { metadata: Metadata }[]) {
        nodes.set(found.uid, { type: looked, kind: looked.kind, metadata: found, children: [] })
        owners.set(found.uid, found.ownerReferences ?? [])
      }
    },
  )
  const self = nodes.get(metadata.uid) ?? { type, kind: type.kind, metadata, children: [] }
  nodes.set(metadata.uid, self)
  owners.set(metadata.uid, metadata.ownerReferences ?? [])
  for (const [uid, references] of owners) {
    for (const reference of references ?? []) {
      const owner = nodes.get(reference.uid) ?? missingOwner(reference, metadata.namespace)
      nodes.set(reference.uid, owner)
      owner.children.push(nodes.get(uid)!)
    }
  }
  return { roots: rootsOf(self, nodes, owners), self, ...gaps }
}

function missingOwner(reference: NonNullable<Metadata['ownerReferences']>[number], namespace?: string): TreeNode {
  const type = findKind(reference.apiVersion, reference.kind)
  return {
    type,
    kind: reference.kind,
    metadata: { name: reference.name, uid: reference.uid, ...(type?.isNamespaced && namespace ? { namespace } : {}) },
    children: [],
    // Cluster-scoped owners of namespaced objects were not searched.
    isMissing: type?.isNamespaced ?? true,
  }
}

function rootsOf(
  self: TreeNode,
  nodes: ReadonlyMap<string, TreeNode>,
  owners: ReadonlyMap<string, Metadata['ownerReferences']>,
): TreeNode[] {
  const roots = new Set<TreeNode>()
  const seen = new Set<string>()
  const climb = (node: TreeNode) => {
    if (seen.has(node.metadata.uid)) return
    seen.add(node.metadata.uid)
    const above = (owners.get(node.metadata.uid) ?? [])
      .map(({ uid }) => nodes.get(uid))
      .filter(each => each !== undefined)
    if (above.length === 0) roots.add(node)
    for (const owner of above) climb(owner)
  }
  climb(self)
  return [...roots]
}

export const describeNode = ({ kind, metadata }: TreeNode): string => `${kind} ${metadata.name}`

/** All objects that would be deleted with an object. */
export function dependentsOf(node: TreeNode, seen = new Set<string>([node.metadata.uid])): TreeNode[] {
  return node.children.flatMap(child => {
    if (seen.has(child.metadata.uid)) return []
    seen.add(child.metadata.uid)
    return [child, ...dependentsOf(child, seen)]
  })
}

export const viewOf = (
  type: Parameters<typeof typeView>[0],
  namespace: string | undefined,
  name: string,
  tab = '',
): string =>
  `${typeView(type).replace('/r/', '/o/')}/${encodeURIComponent(namespace || noNamespace)}/${encodeURIComponent(name)}${tab && `/${tab}`}`
export const kindAndVersion = (type: ResourceType): string => `${type.kind} · ${apiVersionOf(type)}`
