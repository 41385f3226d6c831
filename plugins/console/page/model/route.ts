import { computed, signal } from '@preact/signals'

/** Every view has an address in the fragment, which can be kept and passed on: `#/r/core/v1/configmaps?ns=town`. */

const read = () => location.hash.replace(/^#/, '') || '/'
export const address = signal(read())
addEventListener('hashchange', () => {
  address.value = read()
})

export const route = computed(() => {
  const [path = '/', query = ''] = address.value.split('?')
  return { parts: path.split('/').slice(1).map(decodeURIComponent), query: new URLSearchParams(query) }
})

export function navigate(view: string): void {
  location.hash = view
}
/** Changes the query of this view. Does not add to the history: a filter is typed letter by letter. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const [path = '/', query = ''] = address.value.split('?')
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  history.replaceState(null, '', `#${path}${text && `?${text}`}`)
  address.value = read()
}

export const part = encodeURIComponent
