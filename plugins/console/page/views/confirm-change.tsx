import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ApiObject } from '../model/api.js'
import { type Change, changeObject } from '../model/change-object.js'
import { fieldManager } from '../model/changes-to-send.js'
import { objectPath } from '../model/paths.js'
import { comparableObject, inOrderOf, toYaml } from '../model/yaml-text.js'
import { DiffView } from './diff-view.js'
import { Dialog, Failure, notify } from './parts.js'
import type { TabProps } from './tab-props.js'

interface Props extends TabProps {
  readonly title: string
  readonly change: Change
  /** The notification when it was made: "has been suspended". */
  readonly done: string
  readonly isDanger?: boolean
  onClose(): void
}

/** Shows the diff of a change, from a dry run, before it is made. */
export function ConfirmChange({ type, object, title, change, done, isDanger, onClose }: Props) {
  const result = useSignal<ApiObject | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  const { namespace, name } = object.metadata
  const attempt = async (isDryRun: boolean) => {
    failure.value = undefined
    try {
      const query = { ...change.query, fieldManager }
      result.value = await changeObject<ApiObject>(objectPath(type, namespace, name), { ...change, query, isDryRun })
      if (isDryRun) return
      notify(`${type.kind} ${name} ${done}.`)
      onClose()
    } catch (failed) {
      failure.value = failed
    }
  }
  useEffect(() => void attempt(true), [])
  const before = comparableObject(object)
  return (
    <Dialog title={`${title} ${name}`} onClose={onClose} isWide>
      {failure.value !== undefined && <Failure failure={failure.value} />}
      {result.value ? (
        <DiffView before={toYaml(before)} after={toYaml(inOrderOf(before, comparableObject(result.value)))} />
      ) : (
        failure.value === undefined && <p class="muted">Dry run…</p>
      )}
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={isDanger ? 'danger' : 'primary'}
          disabled={!result.value}
          onClick={() => void attempt(false)}
        >
          {title}
        </button>
      </div>
    </Dialog>
  )
}
