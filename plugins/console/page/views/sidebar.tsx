import { signal } from '@preact/signals'
import { may } from '../model/access.js'
import { chosenNamespace, listableTypes, missingGroups, type ResourceType, typeLink } from '../model/catalogue.js'
import { view } from '../model/route.js'
import { settings } from '../model/session.js'

const filter = signal('')

/** The types by group, as discovery knows them now. */
export function Sidebar() {
  const words = filter.value.toLowerCase()
  const shown = listableTypes.value.filter(({ kind, resource, group, shortNames }) =>
    `${kind} ${resource} ${group} ${shortNames.join(' ')}`.toLowerCase().includes(words),
  )
  const groups = new Map<string, ResourceType[]>()
  for (const type of shown) groups.set(type.group, [...(groups.get(type.group) ?? []), type])
  const sorted = [...groups].sort(([left], [right]) =>
    left === '' ? -1 : right === '' ? 1 : left.localeCompare(right),
  )
  const pages = settings.value.pages.filter(({ type }) => !type)
  const here = view.value
  const isHere = (type: ResourceType) =>
    'resource' in here && here.group === type.group && here.resource === type.resource
  return (
    <nav class="sidebar" aria-label="Types">
      <input
        type="search"
        placeholder="Filter types"
        aria-label="Filter types"
        value={filter.value}
        onInput={event => (filter.value = event.currentTarget.value)}
      />
      <ul>
        <li>
          <a href="#/server" aria-current={here.is === 'server' ? 'page' : undefined}>
            Server
          </a>
        </li>
        {pages.map(({ name, title }) => (
          <li key={name}>
            <a href={`#/page/${name}`} aria-current={here.is === 'page' && here.name === name ? 'page' : undefined}>
              <bdi>{title}</bdi>
            </a>
          </li>
        ))}
      </ul>
      {sorted.map(([group, types]) => (
        <section key={group} aria-label={group || 'core'}>
          <h2>{group || 'core'}</h2>
          <ul>
            {types
              .sort((left, right) => left.kind.localeCompare(right.kind))
              .map(type => (
                <li key={type.resource}>
                  <a
                    href={typeLink(type)}
                    aria-current={isHere(type) ? 'page' : undefined}
                    class={may('list', type.group, type.resource, chosenNamespace.value) === false ? 'forbidden' : ''}
                    title={
                      may('list', type.group, type.resource, chosenNamespace.value) === false
                        ? 'Not permitted'
                        : undefined
                    }
                  >
                    <bdi>{type.kind}</bdi>
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      {missingGroups.value.length > 0 && <p class="muted small">No answer from: {missingGroups.value.join(', ')}</p>}
    </nav>
  )
}
