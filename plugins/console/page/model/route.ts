import { computed, signal } from '@preact/signals'
import { isSegment } from './path-segment.js'

/** Every view has an address in the fragment, which can be bookmarked and shared: `#/r/core/v1/configmaps?ns=town`. */

const read = () => location.hash.replace(/^#/, '') || '/'
export const address = signal(read())
/** To be called after `history.replaceState`, which fires no event. */
export function reread(): void {
  address.value = read()
}
addEventListener('hashchange', reread)

/** The tabs of an object's page, as in its address; the first one is the default. */
export const objectTabs = [
  '',
  'timeline',
  'logs',
  'terminal',
  'rollout',
  'yaml',
  'json',
  'tree',
  'references',
  'history',
  'access',
] as const
export type ObjectTab = (typeof objectTabs)[number]

interface OfType {
  readonly group: string
  readonly version: string
  readonly resource: string
}
export type View =
  | { readonly is: 'home' }
  | { readonly is: 'server' }
  | { readonly is: 'page'; readonly name: string }
  | ({ readonly is: 'table' } & OfType)
  | ({ readonly is: 'create' } & OfType)
  /** The namespace is empty for cluster-scoped types. */
  | ({ readonly is: 'object'; readonly namespace: string; readonly name: string; readonly tab: ObjectTab } & OfType)
  | { readonly is: 'unknown' }

/** Placeholders in addresses, for the core group and for the namespace of cluster-scoped objects. */
export const coreGroup = 'core'
export const noNamespace = '-'
const unknown: View = { is: 'unknown' }

export const query = computed(() => new URLSearchParams(address.value.split('?')[1] ?? ''))
/** The view at the address. An address that does not match exactly is `unknown`, never the nearest view. */
export const view = computed(() => readView(address.value.split('?')[0] ?? '/'))

function readView(path: string): View {
  let parts: string[]
  try {
    parts = path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    return unknown
  }
  const [kind, ...rest] = parts
  if (kind === '' && rest.length === 0) return { is: 'home' }
  if (kind === 'server' && rest.length === 0) return { is: 'server' }
  if (!rest.slice(0, 5).every(isSegment)) return unknown
  const [group = '', version = '', resource = '', namespace = '', name = '', tab = ''] = rest
  if (kind === 'page' && rest.length === 1) return { is: 'page', name: group }
  const ofType = { group: group === coreGroup ? '' : group, version, resource }
  if (kind === 'r' && rest.length === 3) return { is: 'table', ...ofType }
  if (kind === 'new' && rest.length === 3) return { is: 'create', ...ofType }
  if (kind !== 'o' || rest.length < 5 || rest.length > 6) return unknown
  const known = objectTabs.find(each => each === tab)
  if (known === undefined) return unknown
  return { is: 'object', ...ofType, namespace: namespace === noNamespace ? '' : namespace, name, tab: known }
}

export function navigate(view: string): void {
  location.hash = view
}
/** Changes the query of this view, without a history entry: filters change with every keystroke. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const [path = '/', query = ''] = address.value.split('?')
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  history.replaceState(null, '', `#${path}${text && `?${text}`}`)
  reread()
}
