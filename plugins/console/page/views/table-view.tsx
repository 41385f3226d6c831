import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { mayWith } from '../model/access.js'
import { requestJson } from '../model/api.js'
import { chosenNamespace, types, typeView } from '../model/catalogue.js'
import { setCounts } from '../model/counts.js'
import { noteDrawn } from '../model/first-drawing.js'
import { me } from '../model/identity.js'
import { LiveTable } from '../model/live-table.js'
import { collectionPath } from '../model/paths.js'
import { typeKey } from '../model/preferences.js'
import type { ResourceType } from '../model/resource-type.js'
import { setQuery } from '../model/route.js'
import { impersonation } from '../model/session.js'
import { Grid } from './grid.js'
import { Failure, Live } from './parts.js'

/** The table of a type, with its filters. */
export function TableView({ type, query }: { type: ResourceType; query: URLSearchParams }) {
  const get = (name: string) => query.get(name) ?? ''
  const [namespace, labels, fields] = [get('ns'), get('labels'), get('fields')]
  const table = useMemo(
    () => new LiveTable(type, { namespace, labelSelector: labels, fieldSelector: fields }),
    [type.group, type.version, type.resource, namespace, labels, fields],
  )
  useEffect(() => () => table.close(), [table])
  useEffect(() => {
    if (type.isNamespaced) chosenNamespace.value = namespace
  }, [namespace])
  const isWhole = labels === '' && fields === '' && table.state.value === 'live'
  useEffect(() => {
    if (isWhole) setCounts(new Map([[typeKey(type), table.rows.size]]))
  }, [isWhole, table.changes.value])
  const isDrawn = table.changes.value > 0 || table.failure.value !== undefined
  useEffect(() => {
    if (isDrawn) noteDrawn()
  }, [isDrawn])
  // A user who may not list in all namespaces is redirected to one in which they may.
  const own =
    type.isNamespaced && namespace === '' && mayWith('list', type, '') === false
      ? me.value?.namespaces.find(each => mayWith('list', type, each))
      : undefined
  useEffect(() => {
    if (own !== undefined && !impersonation.value) setQuery({ ns: own })
  }, [own])
  const failure = table.failure.value
  const isForbidden = mayWith('create', type, namespace) === false
  return (
    <div class="view table-view">
      <header class="title">
        <h1>
          <bdi>{type.kind}</bdi>
        </h1>
        <Live state={table.state.value} />
        <span class="spacer" />
        {type.verbs.includes('create') && (
          <a
            class="button primary"
            href={createLink(type, namespace)}
            aria-disabled={isForbidden}
            title={isForbidden ? 'Not permitted' : undefined}
          >
            Create
          </a>
        )}
      </header>
      <Filters type={type} text={get('text')} namespace={namespace} labels={labels} fields={fields} />
      {failure ? (
        <Failure failure={failure} />
      ) : (
        <Grid
          table={table}
          query={query}
          isWithNamespace={type.isNamespaced && !namespace}
          createAt={type.verbs.includes('create') && !isForbidden ? createLink(type, namespace) : undefined}
        />
      )}
    </div>
  )
}

const createLink = (type: ResourceType, namespace: string) =>
  `#${typeView(type).replace('/r/', '/new/')}${namespace && `?ns=${encodeURIComponent(namespace)}`}`

interface FilterProps {
  readonly type: ResourceType
  readonly text: string
  readonly namespace: string
  readonly labels: string
  readonly fields: string
}
function Filters({ type, text, namespace, labels, fields }: FilterProps) {
  const namespaces = useSignal<readonly string[]>([])
  const loadNamespaces = () => {
    const spaces = types.value.find(each => each.group === '' && each.resource === 'namespaces')
    if (!spaces || namespaces.value.length > 0) return
    void requestJson(`${collectionPath(spaces)}?limit=1000`).then(
      ({ items }) => (namespaces.value = items.map((each: { metadata: { name: string } }) => each.metadata.name)),
      () => (namespaces.value = me.value?.namespaces ?? []),
    )
  }
  const onEnter = (name: string) => (event: Event) =>
    setQuery({ [name]: (event.currentTarget as HTMLInputElement).value.trim() })
  return (
    <div class="filters" role="search">
      <input
        type="search"
        name="text"
        placeholder="Filter rows ( / )"
        aria-label="Filter rows by text"
        value={text}
        onInput={event => setQuery({ text: event.currentTarget.value })}
      />
      {type.isNamespaced && (
        <>
          <input
            list="namespaces"
            placeholder="All namespaces"
            aria-label="Namespace"
            value={namespace}
            onFocus={loadNamespaces}
            onChange={onEnter('ns')}
          />
          <datalist id="namespaces">
            {namespaces.value.map(name => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
      <input
        placeholder="Label selector"
        aria-label="Label selector"
        spellcheck={false}
        value={labels}
        onChange={onEnter('labels')}
      />
      <input
        placeholder="Field selector"
        aria-label="Field selector"
        spellcheck={false}
        value={fields}
        onChange={onEnter('fields')}
      />
    </div>
  )
}
