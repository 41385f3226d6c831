import type { Anything } from '../model/api.js'
import type { Schema } from '../model/schemas.js'

/** Values that may be a number or a string have a single text field. */
export const isOneLine = (field: Schema): boolean => field.format === 'int-or-string' || field.oneOf !== undefined

interface InputProps {
  readonly field: Schema
  readonly value: Anything
  readonly about: object
  readonly isRequired: boolean
  onChange(value: unknown): void
}
/** The input for a scalar value of a schema. */
export function SchemaInput({ field, value, about, isRequired, onChange }: InputProps) {
  if (field.enum)
    return (
      <select
        {...about}
        value={String(value ?? '')}
        onChange={event => {
          const chosen = field.enum!.find(each => String(each) === event.currentTarget.value)
          onChange(chosen)
        }}
      >
        {value === undefined && <option value="" />}
        {field.enum.map(each => (
          <option key={String(each)} value={String(each)}>
            {String(each)}
          </option>
        ))}
      </select>
    )
  if (field.type === 'boolean')
    return (
      <input
        {...about}
        type="checkbox"
        checked={value === true}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    )
  if ((field.type === 'integer' || field.type === 'number') && !isOneLine(field))
    return (
      <input
        {...about}
        type="number"
        step={field.type === 'integer' ? 1 : 'any'}
        min={field['minimum'] as number | undefined}
        max={field['maximum'] as number | undefined}
        required={isRequired}
        value={value ?? ''}
        onInput={event => {
          const text = event.currentTarget.value
          onChange(text === '' ? undefined : Number(text))
        }}
      />
    )
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const take = (next: string) => onChange(isOneLine(field) && /^\d+$/.test(next) ? Number(next) : next)
  return text.includes('\n') ? (
    <textarea {...about} rows={5} spellcheck={false} value={text} onInput={event => take(event.currentTarget.value)} />
  ) : (
    <input
      {...about}
      spellcheck={false}
      autocomplete="off"
      required={isRequired}
      value={text}
      onInput={event => take(event.currentTarget.value)}
    />
  )
}
