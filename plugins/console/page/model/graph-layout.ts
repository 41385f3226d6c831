import { typeView } from './catalogue.js'
import { type OwnerTree, type TreeNode, viewOf } from './owner-tree.js'
import type { Reference, Referrer, Selection } from './references.js'

/** The layout of a graph of owners and references. */

export const [boxWidth, boxHeight, gapX, gapY] = [196, 44, 56, 14]
/** More boxes would be unreadable; the tables show all objects. */
export const maxNodes = 300

export interface Box {
  readonly key: string
  readonly kind: string
  readonly name: string
  /** For screen readers. */
  readonly title: string
  readonly href: string | undefined
  readonly classes: readonly string[]
  x: number
  y: number
}
export interface Edge {
  readonly from: Box
  readonly to: Box
  /** The referring field; undefined for owners. */
  readonly field?: string
}
export interface Graph {
  readonly boxes: readonly Box[]
  readonly edges: readonly Edge[]
  readonly self: Box
  readonly width: number
  readonly height: number
}

const step = boxWidth + gapX
const line = boxHeight + gapY

function boxOf(node: TreeNode, isSelf: boolean): Box {
  const { type, metadata, kind, isMissing } = node
  return {
    key: metadata.uid,
    kind,
    name: metadata.name,
    title: `${kind} ${metadata.name}${isMissing ? ', which does not exist' : ''}`,
    href: type && `#${viewOf(type, metadata.namespace, metadata.name, 'tree')}`,
    classes: [
      ...(isSelf ? ['self'] : []),
      ...(isMissing ? ['missing'] : []),
      ...(metadata.deletionTimestamp ? ['terminating'] : []),
    ],
    x: 0,
    y: 0,
  }
}

/** Owners are to the left of their dependents, vertically centered; referrers are on the left, references on the right. */
export function graphOf(
  tree: OwnerTree,
  references: readonly Reference[],
  selections: readonly Selection[],
  referrers: readonly Referrer[],
): Graph {
  const boxes: Box[] = []
  const edges: Edge[] = []
  const first = referrers.length > 0 ? step : 0
  let nextY = 0
  let self: Box | undefined
  const seen = new Set<string>()
  const visit = (node: TreeNode, depth: number): Box | undefined => {
    if (seen.has(node.metadata.uid) || boxes.length >= maxNodes) return undefined
    seen.add(node.metadata.uid)
    const box = boxOf(node, node === tree.self)
    box.x = first + depth * step
    if (node === tree.self) self = box
    boxes.push(box)
    const children = node.children.map(child => visit(child, depth + 1)).filter(each => each !== undefined)
    for (const child of children) edges.push({ from: box, to: child })
    if (children.length === 0) {
      box.y = nextY
      nextY += line
    } else box.y = (children[0]!.y + children.at(-1)!.y) / 2
    return box
  }
  for (const root of tree.roots) visit(root, 0)
  const center = self ?? boxOf(tree.self, true)
  // Below the tree, so that no line crosses a box.
  const rightOf = center.x + step
  const add = (box: Box, edge: (box: Box) => Edge) => {
    boxes.push(box)
    edges.push(edge(box))
  }
  const beside = (key: string, kind: string, name: string, href: string, x: number, y: number): Box => ({
    key,
    kind,
    name,
    title: `${kind} ${name}`,
    href,
    classes: ['reference'],
    x,
    y,
  })
  let y = nextY
  for (const { field, type, namespace, name } of references) {
    const box = beside(
      `to ${field} ${type.kind} ${name}`,
      type.kind,
      name,
      `#${viewOf(type, namespace, name, 'tree')}`,
      rightOf,
      y,
    )
    add(box, to => ({ from: center, to, field }))
    y += line
  }
  for (const { field, pods, namespace, selector } of selections) {
    const href = `#${typeView(pods)}?${new URLSearchParams({ ns: namespace, labels: selector })}`
    add(beside(`select ${field}`, `${pods.kind}s with`, selector || 'any labels', href, rightOf, y), to => ({
      from: center,
      to,
      field,
    }))
    y += line
  }
  let left = nextY > line ? center.y : 0
  for (const { field, type, object } of referrers.slice(0, maxNodes)) {
    const { name, namespace, uid } = object.metadata
    const box = beside(`by ${uid} ${field}`, type.kind, name, `#${viewOf(type, namespace, name, 'tree')}`, 0, left)
    add(box, from => ({ from, to: center, field }))
    left += line
  }
  return {
    boxes,
    edges,
    self: center,
    width: boxes.reduce((most, { x }) => Math.max(most, x + boxWidth), 0),
    height: boxes.reduce((most, box) => Math.max(most, box.y + boxHeight), 0),
  }
}
