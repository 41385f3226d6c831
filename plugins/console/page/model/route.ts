import { computed, signal } from '@preact/signals'

/** Every view has an address in the fragment, which can be kept and passed on: `#/r/core/v1/configmaps?ns=town`. */

const read = () => location.hash.replace(/^#/, '') || '/'
export const address = signal(read())
/** After a change of the address that no event tells of. */
export function reread(): void {
  address.value = read()
}
addEventListener('hashchange', reread)

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
  reread()
}

export const part = encodeURIComponent
