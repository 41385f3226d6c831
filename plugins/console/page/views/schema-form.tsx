import { useId } from 'preact/hooks'
import type { Anything } from '../model/api.js'
import { valueAt, withoutValue, withValue } from '../model/at-path.js'
import { mismatchOf } from '../model/edit-help.js'
import { type Path, pathText } from '../model/field-sets.js'
import type { Schema, TypeSchema } from '../model/schemas.js'
import { Compound } from './parts.js'
import { isOneLine, SchemaInput } from './schema-input.js'

interface Props {
  readonly schema: TypeSchema
  readonly object: Anything
  onChange(object: Anything): void
}

/** Fields that the server sets, or that are shown separately. */
const ofServer = ['apiVersion', 'kind', 'status', 'metadata']
const metadataFields = ['name', 'namespace', 'labels', 'annotations'] as const

/** A form that is generated from a schema, with the description of each field. */
export function SchemaForm({ schema, object, onChange }: Props) {
  const root = schema.at([]) ?? {}
  const names = Object.keys(root.properties ?? {}).filter(name => !ofServer.includes(name))
  const metadata = schema.at(['metadata']) ?? {}
  const shown = metadataFields.filter(name => name !== 'namespace' || object?.metadata?.namespace !== undefined)
  return (
    <form class="schema-form card" onSubmit={event => event.preventDefault()} aria-label="Fields">
      {root.description && <p class="explain">{root.description}</p>}
      <fieldset>
        <legend>metadata</legend>
        {shown.map(name => (
          <Field
            key={name}
            schema={schema}
            path={['metadata', name]}
            object={object}
            isRequired={name === 'name'}
            onChange={onChange}
            fallback={{
              description: metadata.properties?.[name]?.description ?? '',
              ...(name === 'name' || name === 'namespace'
                ? { type: 'string' }
                : { type: 'object', additionalProperties: { type: 'string' } }),
            }}
          />
        ))}
      </fieldset>
      <Properties
        schema={schema}
        of={{ ...root, properties: Object.fromEntries(names.map(name => [name, root.properties![name]!])) }}
        path={[]}
        object={object}
        onChange={onChange}
      />
    </form>
  )
}

interface PropertiesProps extends Props {
  readonly of: Schema
  readonly path: Path
}
function Properties({ schema, of, path, object, onChange }: PropertiesProps) {
  const value = valueAt(object, path)
  const names = Object.keys(of.properties ?? {})
  const isRequired = (name: string) => of.required?.includes(name) ?? false
  const shown = names.filter(name => isRequired(name) || value?.[name] !== undefined)
  const others = names.filter(name => !shown.includes(name))
  return (
    <>
      {shown.map(name => (
        <Field
          key={name}
          schema={schema}
          path={[...path, name]}
          object={object}
          isRequired={isRequired(name)}
          onChange={onChange}
        />
      ))}
      {others.length > 0 && (
        <select
          class="add-field"
          aria-label={`Add a field${path.length > 0 ? ` to ${pathText(path)}` : ''}`}
          value=""
          onChange={event => {
            const name = event.currentTarget.value
            event.currentTarget.value = ''
            if (name) onChange(withValue(object, [...path, name], emptyOf(schema, [...path, name])))
          }}
        >
          <option value="">Add a field…</option>
          {others.map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  )
}

interface FieldProps extends Props {
  readonly path: Path
  readonly isRequired: boolean
  /** Used if the schema of the type does not define the field. */
  readonly fallback?: Schema
}
function Field({ schema, path, object, isRequired, onChange, fallback }: FieldProps) {
  const id = useId()
  const known = schema.at(path)
  const field: Schema =
    known && Object.keys(known).length > 0 && known.type !== undefined ? known : (fallback ?? known ?? {})
  const value = valueAt(object, path)
  const last = path.at(-1)
  const title = typeof last === 'number' ? `Item ${last + 1}` : String(last)
  const set = (next: unknown) => onChange(withValue(object, path, next))
  const remove = () => onChange(withoutValue(object, path))
  const explain = field.description && (
    <p class="explain" id={`${id}-words`}>
      {field.description}
    </p>
  )
  const removal = !isRequired && value !== undefined && (
    <button type="button" class="quiet small" aria-label={`Remove ${pathText(path)}`} onClick={remove}>
      Remove
    </button>
  )
  const isNested = field.type === 'array' || field.type === 'object' || field.properties !== undefined
  if (isNested && !isOneLine(field))
    return (
      <fieldset class="nested">
        <legend>
          <Compound name={title} />
          {isRequired && <Required />}
        </legend>
        {explain}
        {field.type === 'array' ? (
          <Items schema={schema} of={field} path={path} object={object} onChange={onChange} />
        ) : field.properties ? (
          <Properties schema={schema} of={field} path={path} object={object} onChange={onChange} />
        ) : (
          <Entries path={path} object={object} onChange={onChange} />
        )}
        {removal}
      </fieldset>
    )
  const wrong = mismatchOf(field, value)
  const described = [field.description && `${id}-words`, wrong && `${id}-wrong`].filter(Boolean).join(' ')
  const about = { id, 'aria-describedby': described || undefined, 'aria-invalid': wrong ? true : undefined }
  return (
    <div class="field">
      <label for={id}>
        <Compound name={title} />
        {isRequired && <Required />}
      </label>
      <div class="input-of">
        <SchemaInput field={field} value={value} about={about} onChange={set} isRequired={isRequired} />
        {removal}
      </div>
      {wrong && (
        <p class="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
      {explain}
    </div>
  )
}
const Required = () => <span class="muted small"> required</span>

function Items({ schema, path, object, onChange }: PropertiesProps) {
  const list: Anything[] = valueAt(object, path) ?? []
  return (
    <>
      {list.map((_, at) => (
        <Field
          key={at}
          schema={schema}
          path={[...path, at]}
          object={object}
          isRequired={false}
          onChange={onChange}
          fallback={{ type: 'string' }}
        />
      ))}
      <button
        type="button"
        class="quiet small"
        onClick={() => onChange(withValue(object, [...path, list.length], emptyOf(schema, [...path, list.length])))}
      >
        Add an item to {pathText(path)}
      </button>
    </>
  )
}

/** A map of strings, such as labels. */
function Entries({ path, object, onChange }: Omit<PropertiesProps, 'schema' | 'of'>) {
  const entries: [string, Anything][] = Object.entries(valueAt(object, path) ?? {})
  const put = (next: readonly (readonly [string, Anything])[]) =>
    onChange(withValue(object, path, Object.fromEntries(next)))
  return (
    <>
      {entries.map(([key, value], at) => (
        <div key={at} class="entry">
          <input
            aria-label={`Key ${at + 1} of ${pathText(path)}`}
            spellcheck={false}
            value={key}
            onChange={event => {
              const changed = event.currentTarget.value
              put(entries.map((each, position) => (position === at ? [changed, each[1]] : each)))
            }}
          />
          <input
            aria-label={`Value of ${key}`}
            spellcheck={false}
            value={typeof value === 'string' ? value : JSON.stringify(value)}
            onInput={event => {
              const changed = event.currentTarget.value
              put(entries.map((each, position) => (position === at ? [each[0], changed] : each)))
            }}
          />
          <button
            type="button"
            class="quiet small"
            aria-label={`Remove ${key}`}
            onClick={() => put(entries.filter((_, position) => position !== at))}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        class="quiet small"
        onClick={() => put([...entries, [freeKey(entries.map(([key]) => key)), '']])}
      >
        Add an entry to {pathText(path)}
      </button>
    </>
  )
}
function freeKey(keys: readonly string[]): string {
  for (let at = keys.length + 1; ; at++) if (!keys.includes(`key-${at}`)) return `key-${at}`
}

function emptyOf(schema: TypeSchema, path: Path): unknown {
  const field = schema.at(path) ?? {}
  if (field.default !== undefined) return field.default
  if (field.enum) return field.enum[0]
  if (isOneLine(field)) return ''
  if (field.type === 'array') return []
  if (field.type === 'object' || field.properties) return {}
  if (field.type === 'boolean') return false
  if (field.type === 'integer' || field.type === 'number') return (field['minimum'] as number | undefined) ?? 0
  return ''
}
