import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Box, boxHeight, boxWidth, type Edge, gapX, graphOf, maxNodes } from '../model/graph-layout.js'
import { type OwnerTree, ownerTree } from '../model/owner-tree.js'
import { referencesOf, referrersOf, selectionsOf } from '../model/references.js'
import { Failure, GapNotes, scrollable } from './parts.js'
import type { TabProps } from './tab-props.js'

const shortened = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** Owners, dependents and references of an object as a graph. Each box links to the graph of its object. */
export function TreeTab({ type, object }: TabProps) {
  const tree = useSignal<OwnerTree | undefined>(undefined)
  const referrers = useSignal<Awaited<ReturnType<typeof referrersOf>> | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  const isBusy = useSignal(false)
  useEffect(() => {
    void ownerTree(type, object.metadata).then(
      found => (tree.value = found),
      failed => (failure.value = failed),
    )
  }, [object.metadata.uid])
  const look = async () => {
    isBusy.value = true
    referrers.value = await referrersOf(type, object).catch((failed: unknown) => {
      failure.value = failed
      return undefined
    })
    isBusy.value = false
  }
  if (failure.value) return <Failure failure={failure.value} />
  const found = tree.value
  if (!found) return <p class="muted pad">Searching for owners and dependents…</p>
  const { boxes, edges, width, height } = graphOf(
    found,
    referencesOf(object),
    selectionsOf(type, object),
    referrers.value?.referrers ?? [],
  )
  return (
    <section class="card">
      <h2>Owners, dependents and references</h2>
      {boxes.length === 1 && <p class="muted">It has no owners, dependents or references.</p>}
      <div {...scrollable('Graph')} class="graph scroll-x">
        <svg
          viewBox={`-2 -2 ${width + 4} ${height + 4}`}
          width={width + 4}
          height={height + 4}
          role="group"
          aria-label="Owners and references"
        >
          {edges.map((edge, at) => (
            <Line key={at} edge={edge} />
          ))}
          {boxes.map(box => (
            <BoxView key={box.key} box={box} />
          ))}
        </svg>
      </div>
      <p class="muted small">
        Solid lines lead from owners to dependents; dashed lines are references by name or selector.
      </p>
      {boxes.length >= maxNodes && <p class="muted small">Only the first {maxNodes} are drawn.</p>}
      {referrers.value?.referrers.length === 0 && <p class="muted">Nothing that you may list refers to it.</p>}
      <GapNotes of={referrers.value ?? found} />
      <button type="button" disabled={isBusy.value} onClick={() => void look()}>
        {isBusy.value ? 'Searching…' : 'Find what refers to it'}
      </button>
    </section>
  )
}

function Line({ edge: { from, to, field } }: { edge: Edge }) {
  const [x1, y1, x2, y2] = [from.x + boxWidth, from.y + boxHeight / 2, to.x, to.y + boxHeight / 2]
  const bend = gapX / 2
  return (
    <path
      class={field === undefined ? 'edge' : 'edge reference'}
      d={`M${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`}
    >
      {field !== undefined && <title>{field}</title>}
    </path>
  )
}

function BoxView({ box: { x, y, kind, name, title, href, classes } }: { box: Box }) {
  const isSelf = classes.includes('self')
  return (
    <a class={['node', ...classes].join(' ')} href={href} aria-current={isSelf ? 'true' : undefined}>
      <title>{title}</title>
      <rect x={x} y={y} width={boxWidth} height={boxHeight} rx="6" />
      <text x={x + 12} y={y + 18} class="kind-of">
        {shortened(kind, 28)}
      </text>
      <text x={x + 12} y={y + 34}>
        {shortened(name, 25)}
      </text>
    </a>
  )
}
