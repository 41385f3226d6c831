import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { ApiFailure, type ApiObject } from '../model/api.js'
import { valueAt } from '../model/at-path.js'
import { type Conflict, conflictsOf, editOf } from '../model/changes-to-send.js'
import { problemsAt } from '../model/edit-help.js'
import { optionsPath } from '../model/own-options.js'
import type { ResourceType } from '../model/resource-type.js'
import type { TypeSchema } from '../model/schemas.js'
import { comparableObject, inOrderOf, readYamlText, toYaml } from '../model/yaml-text.js'
import { DiffView } from './diff-view.js'
import { Dialog, Failure, notify } from './parts.js'

interface Props {
  readonly type: ResourceType
  readonly base: ApiObject
  readonly text: string
  readonly schema: TypeSchema | undefined
  onClose(): void
  onDone(): void
}

/** Shows the diff of an edit, from a dry run, before it is applied. */
export function ReviewDialog({ type, base, text, schema, onClose, onDone }: Props) {
  const read = useMemo(() => readYamlText(text), [])
  const edit = useMemo(() => (read.object ? editOf(type, base, read.object, schema) : undefined), [])
  const result = useSignal<ApiObject | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  const conflicts = useSignal<readonly Conflict[]>(edit?.conflicts ?? [])
  const isForced = useSignal(false)
  const isBusy = useSignal(false)
  const optionErrors = useMemo(
    () => (schema?.isOwn(optionsPath) ? problemsAt(schema, valueAt(read.object, optionsPath) ?? {}, optionsPath) : []),
    [],
  )
  const isNothing = edit !== undefined && edit.changed.length === 0 && edit.removed.length === 0
  const attempt = async (isDryRun: boolean) => {
    if (!edit || isNothing) return
    isBusy.value = true
    failure.value = undefined
    try {
      const answer = await edit.send({ isDryRun, isForced: isForced.value })
      result.value = answer
      if (!isDryRun) {
        notify(`${type.kind} ${base.metadata.name} has been changed.`)
        onDone()
      }
    } catch (failed) {
      const claimed = conflictsOf(failed)
      if (claimed) {
        conflicts.value = claimed
        // Shows the diff before the user decides about those fields.
        result.value = await edit.send({ isDryRun: true, isForced: true }).catch((refused: unknown) => {
          failure.value = refused
          return undefined
        })
      } else failure.value = failed
    }
    isBusy.value = false
  }
  useEffect(() => void attempt(true), [isForced.value])
  const before = useMemo(() => comparableObject(base), [])
  const sent = useMemo(() => read.object && inOrderOf(before, comparableObject(read.object)), [])
  const isStale = failure.value instanceof ApiFailure && failure.value.code === 409
  const isBlocked = conflicts.value.length > 0 && !isForced.value
  return (
    <Dialog title="Review changes" onClose={onClose} isWide>
      {read.problems.length > 0 && (
        <div class="notice bad" role="alert">
          <strong>This is not valid YAML</strong>
          <p>{read.problems[0]!.message}</p>
        </div>
      )}
      {isNothing && <p class="muted">No changes.</p>}
      {failure.value !== undefined && <Failure failure={failure.value} />}
      {isStale && <p>The object has been changed in the meantime. Discard your edit, and edit the current version.</p>}
      {optionErrors.length > 0 && (
        <div class="notice warn" role="alert">
          <strong>The currently loaded plugin would not accept these options</strong>
          <ul>
            {optionErrors.map(error => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </div>
      )}
      {conflicts.value.length > 0 && (
        <div class="notice warn" role="alert">
          <strong>Other managers own {conflicts.value.length === 1 ? 'this field' : 'these fields'}</strong>
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Managed by</th>
              </tr>
            </thead>
            <tbody>
              {conflicts.value.map(({ field, manager }) => (
                <tr key={`${field} ${manager}`}>
                  <td>
                    <code>{field}</code>
                  </td>
                  <td>
                    <bdi>{manager}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <label class="check">
            <input
              type="checkbox"
              checked={isForced.value}
              onChange={event => (isForced.value = event.currentTarget.checked)}
            />
            Change these fields anyway, and take over their ownership
          </label>
        </div>
      )}
      {result.value && (
        <DiffView
          before={toYaml(before)}
          after={toYaml(inOrderOf(sent, comparableObject(result.value)))}
          sent={toYaml(sent)}
        />
      )}
      {!result.value && isBusy.value && <p class="muted">Dry run…</p>}
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          disabled={!result.value || isBlocked || isBusy.value}
          onClick={() => void attempt(false)}
        >
          Apply
        </button>
      </div>
    </Dialog>
  )
}
