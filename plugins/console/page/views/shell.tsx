import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { forgetAccess, may } from '../model/access.js'
import { isReachable } from '../model/api.js'
import { areAllVersionsKnown, areTypesKnown, chosenNamespace, followTypes, types } from '../model/catalogue.js'
import { followCounts } from '../model/counts.js'
import { me, readMe } from '../model/identity.js'
import { viewOf } from '../model/owner-tree.js'
import { rememberVisit } from '../model/preferences.js'
import { address, coreGroup, noNamespace, query, view } from '../model/route.js'
import { impersonation, session, settings } from '../model/session.js'
import { Home } from './home.js'
import { IdentityMenu } from './identity-menu.js'
import { areKeysShown, KeysDialog } from './keys-dialog.js'
import { lazyView } from './lazy-view.js'
import { isPaletteOpen, Palette } from './palette.js'
import { Notes } from './parts.js'
import { PluginPage } from './plugin-page.js'
import { Sidebar } from './sidebar.js'
import { TableView } from './table-view.js'
import { isViewAsOpen, ViewAs } from './view-as.js'

export const isMenuOpen = signal(false)

// Loaded later: the first view usually is a table or the overview.
const objectView = lazyView(async () => (await import('./object-view.js')).ObjectView)
const createView = lazyView(async () => (await import('./create-view.js')).CreateView)
const serverView = lazyView(async () => (await import('./server-view.js')).ServerView)
const quietAfterMs = 1500

/** The frame around every view. */
export function Shell() {
  const acting = impersonation.value
  const namespace = chosenNamespace.value
  useEffect(() => {
    const stop = followTypes()
    return () => {
      stop()
      forgetAccess()
    }
  }, [acting])
  useEffect(() => void readMe(), [session.value?.token])
  useEffect(() => (areTypesKnown.value ? followCounts(namespace) : undefined), [acting, namespace, areTypesKnown.value])
  useEffect(openOwnNamespace, [me.value, acting, may('list', '', 'namespaces')])
  useEffect(noteView, [address.value, areTypesKnown.value])
  useEffect(() => {
    addEventListener('keydown', onKey)
    const timer = setTimeout(() => {
      for (const { load } of [objectView, createView, serverView]) load().catch(() => {})
    }, quietAfterMs)
    return () => {
      removeEventListener('keydown', onKey)
      clearTimeout(timer)
    }
  }, [])
  useEffect(() => {
    isMenuOpen.value = false
  }, [address.value])
  return (
    <div class={isMenuOpen.value ? 'shell menu-open' : 'shell'}>
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to content
      </button>
      <header class="top">
        <button
          type="button"
          class="icon menu"
          aria-label="Types"
          aria-expanded={isMenuOpen.value}
          onClick={() => (isMenuOpen.value = !isMenuOpen.value)}
        >
          ☰
        </button>
        <a href="#/" class="brand">
          <Icon />
          <span>{settings.value.title}</span>
        </a>
        <button type="button" class="search" onClick={() => (isPaletteOpen.value = true)}>
          <span>Search types and commands</span>
          <kbd>{isMac ? '⌘' : 'Ctrl'} K</kbd>
        </button>
        <IdentityMenu />
      </header>
      {!isReachable.value && (
        <p class="banner bad" role="alert">
          The server cannot be reached. Trying again…
        </p>
      )}
      {acting && (
        <p class="banner" role="status">
          Viewing as <strong>{acting.user}</strong>
          {acting.groups.length > 0 && ` (${acting.groups.join(', ')})`}.{' '}
          <button type="button" class="link" onClick={() => (impersonation.value = undefined)}>
            Stop viewing as {acting.user}
          </button>
        </p>
      )}
      <Sidebar />
      <main id="main" tabIndex={-1} key={acting?.user ?? ''}>
        <View />
      </main>
      {isPaletteOpen.value && <Palette />}
      {isViewAsOpen.value && <ViewAs />}
      {areKeysShown.value && <KeysDialog />}
      <Notes />
    </div>
  )
}

/** The same as icon.svg, inline, which saves a request. */
const Icon = () => (
  <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#2457d6" />
    <g fill="none" stroke="#fff" stroke-width="2.4">
      <circle cx="16" cy="16" r="7.5" />
      <path d="M16 3.5v5M16 23.5v5M3.5 16h5M23.5 16h5" stroke-linecap="round" />
    </g>
    <circle cx="16" cy="16" r="2.4" fill="#fff" />
  </svg>
)

function View() {
  const wanted = view.value
  if (wanted.is === 'home') return <Home />
  if (wanted.is === 'server') return <serverView.View />
  if (wanted.is === 'page') return <PluginPage key={wanted.name} name={wanted.name} />
  if (wanted.is === 'unknown') return <UnknownAddress />
  const { group, version, resource } = wanted
  const known = types.value.find(type => type.group === group && type.resource === resource)
  if (!known && !areAllVersionsKnown.value) return <p class="muted pad">Loading…</p>
  if (!known)
    return (
      <div class="notice" role="status">
        <strong>No such type</strong>
        <p>
          The server has no {resource} in the group {group || coreGroup}. They appear here once they are defined.
        </p>
      </div>
    )
  // The address may contain another version than the preferred one.
  const type = version === known.version ? known : { ...known, version }
  const key = `${group}/${version}/${resource}`
  if (wanted.is === 'table') return <TableView key={key} type={type} query={query.value} />
  if (wanted.is === 'create') return <createView.View key={key} type={type} namespace={query.value.get('ns') ?? ''} />
  const { namespace, name, tab } = wanted
  if (type.isNamespaced !== (namespace !== '')) return <UnknownAddress />
  return <objectView.View key={`${key}/${namespace}/${name}`} type={type} namespace={namespace} name={name} tab={tab} />
}

/** Incomplete addresses are not guessed: the actions of a page could affect the wrong object. */
const UnknownAddress = () => (
  <div class="notice" role="status">
    <strong>No such page</strong>
    <p>
      The console has no page at this address. The address of an object ends with its namespace, or{' '}
      <code>{noNamespace}</code> if it has none, and its name. <a href="#/">Go to the overview</a>
    </p>
  </div>
)

/** A user who may list nothing in all namespaces starts in one in which a role grants them permissions. */
function openOwnNamespace(): void {
  const [own] = me.value?.namespaces ?? []
  if (
    own !== undefined &&
    chosenNamespace.value === '' &&
    may('list', '', 'namespaces') === false &&
    !impersonation.value
  )
    chosenNamespace.value = own
}

/** Sets the title of the tab, and remembers visited objects. */
function noteView(): void {
  const shown = view.value
  const { title } = settings.value
  const kindOf = ({ group, resource }: { group: string; resource: string }) =>
    types.peek().find(type => type.group === group && type.resource === resource)?.kind ?? resource
  if (shown.is === 'object') {
    document.title = `${shown.name} · ${kindOf(shown)} · ${title}`
    const detail = `${kindOf(shown)}${shown.namespace && ` in ${shown.namespace}`}`
    if (areTypesKnown.peek())
      rememberVisit({ title: shown.name, detail, address: viewOf(shown, shown.namespace, shown.name) })
  } else if (shown.is === 'table') document.title = `${kindOf(shown)} · ${title}`
  else if (shown.is === 'create') document.title = `New ${kindOf(shown)} · ${title}`
  else if (shown.is === 'server') document.title = `Server · ${title}`
  else document.title = `${title} console`
}

const isMac = /Mac|iPhone/.test(navigator.platform)

function skipToMain(): void {
  document.getElementById('main')?.focus()
}

function onKey(event: KeyboardEvent): void {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault()
    isPaletteOpen.value = true
  }
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable], .editor')
  if (event.key === '?' && !isTyping) areKeysShown.value = true
  if (event.key === '/' && !isTyping) {
    const filter = document.querySelector<HTMLInputElement>('input[name=text]')
    if (filter) event.preventDefault()
    filter?.focus()
  }
}
