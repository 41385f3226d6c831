import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { may } from '../model/access.js'
import type { ApiObject, ManagedFields } from '../model/api.js'
import { completionsAt, describeAt, problemsIn } from '../model/edit-help.js'
import { describeManager, FieldManagers } from '../model/field-managers.js'
import { schemaFor } from '../model/own-options.js'
import type { TypeSchema } from '../model/schemas.js'
import { isSecretType, withHiddenValues } from '../model/secret-values.js'
import { readYamlText, shownObject, toYaml } from '../model/yaml-text.js'
import type { OwnerMark } from './editor.js'
import { EditorBox } from './editor-box.js'
import { EditorModes, ObjectEditor } from './object-editor.js'
import { Ago } from './parts.js'
import { ReviewDialog } from './review-dialog.js'
import type { TabProps } from './tab-props.js'

const colors = 6

/** The object as text, with the managers of its fields, and its editor. */
export function YamlTab({ type, object, format }: TabProps & { format: 'yaml' | 'json' }) {
  const isSecret = isSecretType(type)
  const isRevealed = useSignal(!isSecret)
  const isEditing = useSignal(false)
  const edited = useSignal('')
  /** The version that is being edited. */
  const base = useSignal<ApiObject>(object)
  const isReviewed = useSignal(false)
  const schema = useSignal<TypeSchema | undefined>(undefined)
  useEffect(() => void schemaFor(type, object).then(found => (schema.value = found)), [isEditing.value])
  const shown = useMemo(
    () => (isRevealed.value ? shownObject(object) : withHiddenValues(shownObject(object))),
    [object, isRevealed.value],
  )
  const text = useMemo(
    () => (format === 'yaml' ? toYaml(shown) : `${JSON.stringify(shown, null, 2)}\n`),
    [shown, format],
  )
  const marks = useMemo(() => (format === 'yaml' ? marksOf(object, text) : []), [object, text, format])
  const help = useMemo(
    () => ({
      problems: (value: string) => (isEditing.value ? problemsIn(value, schema.value) : []),
      complete: (value: string, position: number) => completionsAt(value, position, schema.value),
      describe: (value: string, position: number) => describeAt(value, position, schema.value),
    }),
    [],
  )
  const edit = () => {
    isRevealed.value = true
    base.value = object
    edited.value = toYaml(shownObject(object))
    isEditing.value = true
  }
  const { namespace, name } = object.metadata
  const mayEdit = may('patch', type.group, type.resource, namespace, name)
  return (
    <div class="yaml-tab">
      <div class="toolbar">
        {format === 'yaml' && !isEditing.value && type.verbs.includes('patch') && (
          <button
            type="button"
            onClick={edit}
            disabled={mayEdit === false}
            title={mayEdit === false ? 'Not permitted' : undefined}
          >
            Edit
          </button>
        )}
        {isEditing.value && (
          <>
            <button type="button" class="primary" onClick={() => (isReviewed.value = true)}>
              Review changes
            </button>
            <button type="button" onClick={() => (isEditing.value = false)}>
              Discard
            </button>
            {schema.value && <EditorModes />}
            {object.metadata.resourceVersion !== base.value.metadata.resourceVersion && (
              <span class="tag warn">Changed in the meantime</span>
            )}
          </>
        )}
        {isSecret && !isEditing.value && (
          <button type="button" onClick={() => (isRevealed.value = !isRevealed.value)}>
            {isRevealed.value ? 'Hide values' : 'Show values'}
          </button>
        )}
      </div>
      {isEditing.value ? (
        <ObjectEditor
          text={edited.value}
          label={`${object.metadata.name} as YAML`}
          schema={schema.value}
          help={help}
          onChange={next => (edited.value = next)}
        />
      ) : (
        <EditorBox
          key={format}
          text={text}
          format={format}
          label={`${object.metadata.name} as ${format.toUpperCase()}`}
          isEditable={false}
          marks={marks}
          help={help}
        />
      )}
      {format === 'yaml' && !isEditing.value && <Managers of={object.metadata.managedFields ?? []} />}
      {isReviewed.value && (
        <ReviewDialog
          type={type}
          base={base.value}
          text={edited.value}
          schema={schema.value}
          onClose={() => (isReviewed.value = false)}
          onDone={() => {
            isReviewed.value = false
            isEditing.value = false
          }}
        />
      )}
    </div>
  )
}

const keyOf = ({ manager, operation, subresource }: ManagedFields) => `${manager} ${operation} ${subresource ?? ''}`

/** The managers of the field on each line. */
function marksOf(object: ApiObject, text: string): OwnerMark[] {
  const entries = object.metadata.managedFields ?? []
  const managers = new FieldManagers(object)
  const marks = new Map<number, OwnerMark>()
  const { places } = readYamlText(text)
  for (const { path, line } of places) {
    const found = managers.at(path)
    const [first] = found
    if (!first) continue
    marks.set(line, {
      line,
      text: found.length > 1 ? `${first.manager} +${found.length - 1}` : first.manager,
      title: found.map(describeManager).join('\n'),
      color: entries.findIndex(entry => keyOf(entry) === keyOf(first)) % colors,
    })
  }
  return withoutGaps(marks, new Set(places.map(({ line }) => line)))
}
/** Further lines of a multi-line value belong to its field. */
function withoutGaps(marks: ReadonlyMap<number, OwnerMark>, fieldLines: ReadonlySet<number>): OwnerMark[] {
  const filled: OwnerMark[] = []
  const last = [...fieldLines].reduce((most, line) => Math.max(most, line), 0)
  for (let line = 1, current: OwnerMark | undefined; line <= last; line++) {
    current = fieldLines.has(line) ? marks.get(line) : current
    if (current) filled.push({ ...current, line })
  }
  return filled
}

const Managers = ({ of: entries }: { of: readonly ManagedFields[] }) => (
  <ul class="managers" aria-label="Field managers">
    {entries.map((entry, at) => (
      <li key={keyOf(entry)} class={`owner-${at % colors}`}>
        <bdi>{entry.manager}</bdi>{' '}
        <span class="muted">
          {entry.operation}
          {entry.subresource && ` of ${entry.subresource}`}, <Ago time={entry.time} /> ago
        </span>
      </li>
    ))}
  </ul>
)
