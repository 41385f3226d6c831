import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type Anything, type ApiObject, send } from '../model/api.js'
import { typeView } from '../model/catalogue.js'
import { fieldManager } from '../model/changes-to-send.js'
import { completionsAt, describeAt, problemsIn } from '../model/edit-help.js'
import { viewOf } from '../model/owner-tree.js'
import { collectionPath } from '../model/paths.js'
import type { ResourceType } from '../model/resource-type.js'
import { navigate } from '../model/route.js'
import { schemaOf, type TypeSchema } from '../model/schemas.js'
import { inOrderOf, readYamlText, shownObject, toYaml } from '../model/yaml-text.js'
import { DiffView } from './diff-view.js'
import { EditorModes, ObjectEditor } from './object-editor.js'
import { Failure, notify } from './parts.js'

/** Creates an object, starting with a template from the schema. */
export function CreateView({ type, namespace }: { type: ResourceType; namespace: string }) {
  const schema = useSignal<TypeSchema | undefined>(undefined)
  const text = useSignal<string | undefined>(undefined)
  const tried = useSignal<ApiObject | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  useEffect(() => {
    void schemaOf(type).then(found => {
      schema.value = found
      const empty = {
        apiVersion: type.group ? `${type.group}/${type.version}` : type.version,
        kind: type.kind,
        metadata: { name: '' },
      }
      text.value = toYaml(found?.template(type, namespace) ?? empty)
    })
  }, [])
  const help = useMemo(
    () => ({
      problems: (value: string) => problemsIn(value, schema.value),
      complete: (value: string, position: number) => completionsAt(value, position, schema.value),
      describe: (value: string, position: number) => describeAt(value, position, schema.value),
    }),
    [],
  )
  const attempt = async (isDryRun: boolean) => {
    failure.value = undefined
    tried.value = undefined
    try {
      const { object, problems } = readYamlText(text.value ?? '')
      if (problems[0]) throw new Error(problems[0].message)
      const path = collectionPath(type, (object as Anything)?.metadata?.namespace ?? 'default')
      const answer: ApiObject = await send(
        'POST',
        `${path}?fieldManager=${fieldManager}${isDryRun ? '&dryRun=All' : ''}`,
        object,
      )
      if (isDryRun) tried.value = answer
      else {
        notify(`${type.kind} ${answer.metadata.name} has been created.`)
        navigate(viewOf(type, answer.metadata.namespace, answer.metadata.name))
      }
    } catch (failed) {
      failure.value = failed
    }
  }
  const written = () => readYamlText(text.value ?? '').object
  return (
    <div class="view">
      <nav class="crumbs" aria-label="Breadcrumbs">
        <a href={`#${typeView(type)}`}>
          <bdi>{type.kind}</bdi>
        </a>
      </nav>
      <header class="title">
        <h1>New {type.kind}</h1>
        <span class="spacer" />
        {schema.value && <EditorModes />}
        <button type="button" onClick={() => void attempt(true)}>
          Dry run
        </button>
        <button type="button" class="primary" onClick={() => void attempt(false)}>
          Create
        </button>
      </header>
      {failure.value !== undefined && <Failure failure={failure.value} />}
      {tried.value && (
        <section class="card">
          <h2>What the server would store</h2>
          <DiffView before="" after={toYaml(inOrderOf(written(), shownObject(tried.value)))} sent={toYaml(written())} />
        </section>
      )}
      {text.value !== undefined && (
        <ObjectEditor
          text={text.value}
          label={`New ${type.kind} as YAML`}
          schema={schema.value}
          help={help}
          onChange={next => (text.value = next)}
        />
      )}
    </div>
  )
}
