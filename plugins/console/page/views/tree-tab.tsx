import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type OwnerTree, ownerTree, type TreeNode, viewOf } from '../model/owner-tree.js'
import { navigate } from '../model/route.js'
import { Failure, GapNotes, scrollable } from './parts.js'
import type { TabProps } from './tab-props.js'

const [boxWidth, boxHeight, gapX, gapY] = [196, 44, 56, 14]
/** More would be a wall of boxes; the tables show them all. */
const maxNodes = 300

interface Placed {
  readonly node: TreeNode
  readonly x: number
  readonly y: number
  readonly parent: Placed | undefined
}

/** From left to right, each owner in the middle of what it owns. */
function place(roots: readonly TreeNode[]): { placed: Placed[]; width: number; height: number } {
  const placed: Placed[] = []
  let nextY = 0
  const seen = new Set<string>()
  const visit = (node: TreeNode, depth: number, parent: Placed | undefined): Placed | undefined => {
    if (seen.has(node.metadata.uid) || placed.length >= maxNodes) return undefined
    seen.add(node.metadata.uid)
    const box = { node, x: depth * (boxWidth + gapX), y: 0, parent }
    placed.push(box)
    const children = node.children.map(child => visit(child, depth + 1, box)).filter(each => each !== undefined)
    if (children.length === 0) {
      box.y = nextY
      nextY += boxHeight + gapY
    } else box.y = (children[0]!.y + children.at(-1)!.y) / 2
    return box
  }
  for (const root of roots) visit(root, 0, undefined)
  return { placed, width: placed.reduce((most, { x }) => Math.max(most, x + boxWidth), 0), height: nextY - gapY }
}

const shortened = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** The owners and the dependents of an object as a graph. */
export function TreeTab({ type, object }: TabProps) {
  const tree = useSignal<OwnerTree | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  useEffect(() => {
    void ownerTree(type, object.metadata).then(
      found => (tree.value = found),
      failed => (failure.value = failed),
    )
  }, [object.metadata.uid])
  if (failure.value) return <Failure failure={failure.value} />
  const found = tree.value
  if (!found) return <p class="muted pad">Looking through the types for owners and dependents…</p>
  const { placed, width, height } = place(found.roots)
  return (
    <section class="card">
      <h2>Owners and dependents</h2>
      {placed.length === 1 && <p class="muted">It owns nothing, and nobody owns it.</p>}
      <div {...scrollable('Graph')} class="graph scroll-x">
        <svg
          viewBox={`-2 -2 ${width + 4} ${height + 4}`}
          width={width + 4}
          height={height + 4}
          role="group"
          aria-label="Owners and dependents"
        >
          {placed.map(({ node, x, y, parent }) =>
            parent ? (
              <path
                key={`line ${node.metadata.uid}`}
                class="edge"
                d={`M${parent.x + boxWidth} ${parent.y + boxHeight / 2} C ${parent.x + boxWidth + gapX / 2} ${parent.y + boxHeight / 2}, ${x - gapX / 2} ${y + boxHeight / 2}, ${x} ${y + boxHeight / 2}`}
              />
            ) : null,
          )}
          {placed.map(({ node, x, y }) => (
            <Box key={node.metadata.uid} node={node} x={x} y={y} isSelf={node === found.self} />
          ))}
        </svg>
      </div>
      {placed.length >= maxNodes && <p class="muted small">Only the first {maxNodes} are drawn.</p>}
      <GapNotes of={found} />
    </section>
  )
}

function Box({ node, x, y, isSelf }: { node: TreeNode; x: number; y: number; isSelf: boolean }) {
  const { type, metadata } = node
  const name = `${node.kind} ${metadata.name}${node.isMissing ? ', which does not exist' : ''}`
  const go = () => type && !isSelf && navigate(viewOf(type, metadata.namespace, metadata.name, 'tree'))
  const classes = [
    'node',
    isSelf ? 'self' : '',
    node.isMissing ? 'missing' : '',
    metadata.deletionTimestamp ? 'terminating' : '',
  ]
  return (
    <a
      class={classes.join(' ')}
      href={type ? `#${viewOf(type, metadata.namespace, metadata.name, 'tree')}` : undefined}
      aria-current={isSelf ? 'true' : undefined}
      onClick={go}
    >
      <title>{name}</title>
      <rect x={x} y={y} width={boxWidth} height={boxHeight} rx="6" />
      <text x={x + 12} y={y + 18} class="kind-of">
        {shortened(node.kind, 28)}
      </text>
      <text x={x + 12} y={y + 34}>
        {shortened(metadata.name, 25)}
      </text>
    </a>
  )
}
