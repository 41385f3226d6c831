import { useSignal } from '@preact/signals'
import { typeView } from '../model/catalogue.js'
import { viewOf } from '../model/owner-tree.js'
import { referencesOf, referrersOf, selectionsOf } from '../model/references.js'
import { Failure, GapNotes } from './parts.js'
import type { TabProps } from './tab-props.js'

/** References by name or selector, in both directions. Owners are in the graph. */
export function ReferencesTab({ type, object }: TabProps) {
  const references = referencesOf(object)
  const selections = selectionsOf(type, object)
  return (
    <div class="summary">
      <section class="card">
        <h2>Refers to</h2>
        {references.length + selections.length === 0 && <p class="muted">No references by name or selector.</p>}
        <dl>
          {references.map(({ field, type: other, namespace, name }) => (
            <>
              <dt>{field}</dt>
              <dd>
                <a href={`#${viewOf(other, namespace, name)}`}>
                  <bdi>{`${other.kind} ${name}`}</bdi>
                </a>
              </dd>
            </>
          ))}
          {selections.map(({ field, pods, namespace, selector }) => (
            <>
              <dt>{field}</dt>
              <dd>
                <a href={`#${typeView(pods)}?${new URLSearchParams({ ns: namespace, labels: selector })}`}>
                  <bdi>{`${pods.kind}s with ${selector || 'any labels'}`}</bdi>
                </a>
              </dd>
            </>
          ))}
        </dl>
      </section>
      <Referrers type={type} object={object} />
    </div>
  )
}

/** On request only, since every type has to be searched. */
function Referrers({ type, object }: TabProps) {
  const found = useSignal<Awaited<ReturnType<typeof referrersOf>> | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  const isBusy = useSignal(false)
  const look = async () => {
    isBusy.value = true
    failure.value = undefined
    try {
      found.value = await referrersOf(type, object)
    } catch (thrown) {
      failure.value = thrown
    }
    isBusy.value = false
  }
  const all = found.value
  return (
    <section class="card">
      <h2>Referred to by</h2>
      {failure.value !== undefined && <Failure failure={failure.value} />}
      {all && all.referrers.length === 0 && <p class="muted">Nothing that you may list.</p>}
      {all && (
        <dl>
          {all.referrers.map(({ field, type: other, object: { metadata } }) => (
            <>
              <dt>{field}</dt>
              <dd>
                <a href={`#${viewOf(other, metadata.namespace, metadata.name)}`}>
                  <bdi>{`${other.kind} ${metadata.name}`}</bdi>
                </a>
              </dd>
            </>
          ))}
        </dl>
      )}
      {all && <GapNotes of={all} />}
      <button type="button" disabled={isBusy.value} onClick={look}>
        {isBusy.value ? 'Searching…' : all ? 'Search again' : 'Search all types'}
      </button>
    </section>
  )
}
