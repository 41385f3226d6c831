import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Anything, ApiFailure } from '../model/api.js'
import { changeObject } from '../model/change-object.js'
import type { Row } from '../model/live-table.js'
import { objectPath } from '../model/paths.js'
import type { ResourceType } from '../model/resource-type.js'
import { Dialog, notify } from './parts.js'

interface Props {
  readonly type: ResourceType
  readonly rows: readonly Row[]
  onClose(): void
  onDone(): void
}
const requestsAtOnce = 4
const shownRows = 200

/** Deletes several objects, after a dry run for each. */
export function DeleteMany({ type, rows, onClose, onDone }: Props) {
  const outcomes = useSignal<ReadonlyMap<string, Outcome>>(new Map())
  const isBusy = useSignal(true)
  const run = async (isDryRun: boolean) => {
    isBusy.value = true
    const found = new Map<string, Outcome>()
    const queue = rows.filter(({ key }) => isDryRun || outcomes.value.get(key)?.isRefused === false)
    const count = queue.length
    const work = async () => {
      for (let row = queue.shift(); row; row = queue.shift()) {
        found.set(row.key, await attempt(type, row, isDryRun))
        outcomes.value = new Map([...outcomes.value, ...found])
      }
    }
    await Promise.all(Array.from({ length: requestsAtOnce }, work))
    isBusy.value = false
    if (isDryRun) return
    const refused = [...found.values()].filter(({ isRefused }) => isRefused).length
    notify(`${count - refused} of ${rows.length} are being deleted.`)
    onDone()
    if (refused === 0) onClose()
  }
  useEffect(() => void run(true), [])
  const known = [...outcomes.value.values()]
  const possible = known.filter(({ isRefused }) => !isRefused).length
  return (
    <Dialog
      title={rows.length === 1 ? `Delete ${type.kind} ${rows[0]!.name}` : `Delete ${rows.length} objects`}
      onClose={onClose}
      isWide
    >
      <p role="status">
        {known.length < rows.length
          ? `Dry run: ${known.length} of ${rows.length}…`
          : `Dry run: ${possible} would be deleted, ${rows.length - possible} would be rejected. Dependents are deleted afterwards.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="outcomes" role="region" tabIndex={0} aria-label="Results">
        <table>
          <thead>
            <tr>
              <th scope="col">{type.kind}</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownRows).map(row => {
              const outcome = outcomes.value.get(row.key)
              return (
                <tr key={row.key}>
                  <th scope="row">
                    <bdi>{row.namespace ? `${row.namespace}/${row.name}` : row.name}</bdi>
                  </th>
                  <td class={outcome?.isRefused ? 'status bad' : ''}>{outcome?.text ?? '…'}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
        {rows.length > shownRows && <p class="muted small">and {rows.length - shownRows} more</p>}
      </div>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="danger" disabled={isBusy.value || possible === 0} onClick={() => void run(false)}>
          Delete {possible}
        </button>
      </div>
    </Dialog>
  )
}

interface Outcome {
  readonly isRefused: boolean
  readonly text: string
}

async function attempt(type: ResourceType, { namespace, name, key }: Row, isDryRun: boolean): Promise<Outcome> {
  try {
    const answer = await changeObject<Anything>(objectPath(type, namespace, name), {
      method: 'DELETE',
      // Not another object that has been created with the same name in the meantime.
      body: { propagationPolicy: 'Background', preconditions: { uid: key } },
      isDryRun,
    })
    const held: string[] = answer.metadata?.finalizers ?? []
    if (held.length > 0)
      return { isRefused: false, text: `stays in Terminating until its finalizers are removed: ${held.join(', ')}` }
    return { isRefused: false, text: isDryRun ? 'will be deleted' : 'deleted' }
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 404) return { isRefused: true, text: 'no longer exists' }
    return { isRefused: true, text: (failure as Error).message }
  }
}
