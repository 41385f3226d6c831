import { signal } from '@preact/signals'
import { mayWith } from '../model/access.js'
import { chosenNamespace, listableTypes, missingGroups, typeLink } from '../model/catalogue.js'
import { counts, countText } from '../model/counts.js'
import { isViewDrawn } from '../model/first-drawing.js'
import {
  closedSections,
  favourites,
  navigation,
  toggleFavourite,
  toggleSection,
  typeKey,
  visits,
} from '../model/preferences.js'
import { type Section, sectionsByGroup, sectionsByPurpose } from '../model/purposes.js'
import type { ResourceType } from '../model/resource-type.js'
import { view } from '../model/route.js'
import { settings } from '../model/session.js'
import { Compound } from './parts.js'

const filter = signal('')

/** Links to all types, by purpose or by API group. */
export function Sidebar() {
  const words = filter.value.toLowerCase()
  const shown = (isViewDrawn.value ? listableTypes.value : []).filter(({ kind, resource, group, shortNames }) =>
    `${kind} ${resource} ${group} ${shortNames.join(' ')}`.toLowerCase().includes(words),
  )
  const isByGroup = navigation.value === 'group'
  const sections = isByGroup ? sectionsByGroup(shown) : sectionsByPurpose(shown)
  const favoured = shown.filter(type => favourites.value.includes(typeKey(type)))
  const firstCustom = sections.findIndex(section => section.isCustom)
  return (
    <nav class="sidebar" aria-label="Types">
      <input
        type="search"
        placeholder="Filter types"
        aria-label="Filter types"
        value={filter.value}
        onInput={event => (filter.value = event.currentTarget.value)}
      />
      <Places />
      {favoured.length > 0 && (
        <TypeSection section={{ title: 'Favourites', types: favoured, isCustom: false }} isOpen />
      )}
      {sections.map((section, at) => (
        <>
          {at === firstCustom && <h2 class="divider">Custom types</h2>}
          <TypeSection
            key={section.title}
            section={section}
            isOpen={words !== '' || !closedSections.value.includes(section.title)}
          />
        </>
      ))}
      {words === '' && <RecentlyViewed />}
      {missingGroups.value.length > 0 && <p class="muted small">Not available: {missingGroups.value.join(', ')}</p>}
      <button type="button" class="quiet small" onClick={() => (navigation.value = isByGroup ? 'purpose' : 'group')}>
        {isByGroup ? 'Show by purpose' : 'Show API groups'}
      </button>
    </nav>
  )
}

function Places() {
  const here = view.value
  const pages = settings.value.pages.filter(({ type }) => !type)
  return (
    <ul>
      <li>
        <a href="#/" aria-current={here.is === 'home' ? 'page' : undefined}>
          Overview
        </a>
      </li>
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
  )
}

function TypeSection({ section: { title, types }, isOpen }: { section: Section; isOpen: boolean }) {
  return (
    <section aria-label={title}>
      <h2>
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => toggleSection(title)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <bdi>{title}</bdi>
        </button>
      </h2>
      {isOpen && (
        <ul>
          {types.map(type => (
            <TypeItem key={typeKey(type)} type={type} />
          ))}
        </ul>
      )}
    </section>
  )
}

function TypeItem({ type }: { type: ResourceType }) {
  const here = view.value
  const key = typeKey(type)
  const isHere = 'resource' in here && here.group === type.group && here.resource === type.resource
  const isForbidden = mayWith('list', type, chosenNamespace.value) === false
  const isFavourite = favourites.value.includes(key)
  const count = countText(counts.value.get(key))
  return (
    <li class="type-item">
      <a
        href={typeLink(type)}
        aria-current={isHere ? 'page' : undefined}
        class={isForbidden ? 'forbidden' : ''}
        title={isForbidden ? 'Not permitted' : undefined}
      >
        <Compound name={type.kind} />
      </a>
      {count && (
        <span class="count-of">
          {count}
          <span class="unseen"> objects</span>
        </span>
      )}
      <button
        type="button"
        class="star"
        aria-label={`${type.kind}: favourite`}
        aria-pressed={isFavourite}
        onClick={() => toggleFavourite(key)}
      >
        <span aria-hidden="true">{isFavourite ? '★' : '☆'}</span>
      </button>
    </li>
  )
}

function RecentlyViewed() {
  if (visits.value.length === 0) return null
  return (
    <section aria-label="Recently viewed">
      <h2 class="divider">Recently viewed</h2>
      <ul>
        {visits.value.map(({ address, title, detail }) => (
          <li key={address}>
            <a href={`#${address}`} class="visit">
              <bdi>{title}</bdi> <span class="muted small">{detail}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
