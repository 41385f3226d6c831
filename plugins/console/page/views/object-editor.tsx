import type { Anything } from '../model/api.js'
import { remembered } from '../model/preferences.js'
import type { TypeSchema } from '../model/schemas.js'
import { readYamlText, toYaml } from '../model/yaml-text.js'
import type { EditorOptions } from './editor.js'
import { EditorBox } from './editor-box.js'
import { SchemaForm } from './schema-form.js'

export const editorMode = remembered<'form' | 'yaml'>('editor', 'form')

export const EditorModes = () => (
  <fieldset class="modes bare toolbar" aria-label="Editor">
    {(
      [
        ['form', 'Form'],
        ['yaml', 'YAML'],
      ] as const
    ).map(([mode, title]) => (
      <button
        key={mode}
        type="button"
        aria-pressed={editorMode.value === mode}
        onClick={() => (editorMode.value = mode)}
      >
        {title}
      </button>
    ))}
  </fieldset>
)

interface Props {
  readonly text: string
  readonly label: string
  readonly schema: TypeSchema | undefined
  readonly help: Pick<EditorOptions, 'problems' | 'complete' | 'describe'>
  onChange(text: string): void
}

/** Edits an object as a form or as text; the state of both is the YAML. */
export function ObjectEditor({ text, label, schema, help, onChange }: Props) {
  if (editorMode.value === 'yaml' || !schema)
    return <EditorBox text={text} format="yaml" label={label} isEditable help={help} onChange={onChange} />
  const { object, problems } = readYamlText(text)
  if (problems[0])
    return (
      <p class="notice bad" role="alert">
        This is not valid YAML, so there is no form for it: {problems[0].message}
      </p>
    )
  return <SchemaForm schema={schema} object={object} onChange={(next: Anything) => onChange(toYaml(next))} />
}
