import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type ObjectVersion, versionsOf } from '../model/object-history.js'
import { isSecretType, withHiddenValues } from '../model/secret-values.js'
import { comparableObject, inOrderOf, toYaml } from '../model/yaml-text.js'
import { DiffView } from './diff-view.js'
import { Ago, Failure } from './parts.js'
import type { TabProps } from './tab-props.js'

/** The versions that the store still has, and the diff between any two. */
export function HistoryTab({ type, object }: TabProps) {
  const versions = useSignal<readonly ObjectVersion[] | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  const from = useSignal('')
  const to = useSignal('')
  const isSecret = isSecretType(type)
  const isRevealed = useSignal(false)
  const { resourceVersion } = object.metadata
  useEffect(() => {
    void versionsOf(type, object).then(
      found => {
        versions.value = found
        to.value = found.at(-1)?.version ?? ''
        from.value = found.at(-2)?.version ?? to.value
      },
      failed => (failure.value = failed),
    )
  }, [resourceVersion])
  if (failure.value) return <Failure failure={failure.value} />
  const found = versions.value
  if (!found) return <p class="muted pad">Loading versions…</p>
  const shownAt = (version: string) => {
    const one = found.find(each => each.version === version)
    const shown = one && comparableObject(one.object)
    return shown && isSecret && !isRevealed.value ? withHiddenValues(shown) : shown
  }
  const [before, after] = [shownAt(from.value), shownAt(to.value)]
  const choose = (label: string, chosen: typeof from) => (
    <label>
      {label}{' '}
      <select value={chosen.value} onChange={event => (chosen.value = event.currentTarget.value)}>
        {found.map(({ version, what }) => (
          <option key={version} value={version}>
            {version} · {what}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <section class="card">
      <h2>History</h2>
      <p class="muted small">
        {found.length === 1
          ? 'The store has one version of this object.'
          : `The store has ${found.length} versions of this object.`}{' '}
        Older ones have been compacted.
      </p>
      <ol class="versions">
        {found.map(({ version, what, time }) => (
          <li key={version}>
            <code>{version}</code> <bdi>{what}</bdi>{' '}
            {time && (
              <span class="muted">
                <Ago time={time} /> ago
              </span>
            )}
          </li>
        ))}
      </ol>
      {found.length > 1 && (
        <>
          <div class="toolbar">
            {choose('From', from)}
            {choose('to', to)}
            {isSecret && (
              <button type="button" onClick={() => (isRevealed.value = !isRevealed.value)}>
                {isRevealed.value ? 'Hide values' : 'Show values'}
              </button>
            )}
          </div>
          {before && after && <DiffView before={toYaml(before)} after={toYaml(inOrderOf(before, after))} />}
        </>
      )}
    </section>
  )
}
