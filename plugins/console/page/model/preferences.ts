import { effect, type Signal, signal } from '@preact/signals'

/** Preferences that the browser remembers. They contain names of objects, never values. */

/** A signal that is stored in the browser and shared by all tabs. */
export function remembered<T>(name: string, initial: T): Signal<T> {
  const key = `console-${name}`
  const value = signal(read(key, initial))
  effect(() => {
    const text = JSON.stringify(value.value)
    try {
      if (text !== (localStorage.getItem(key) ?? JSON.stringify(initial))) localStorage.setItem(key, text)
    } catch {
      // Without storage, the value lasts as long as the page.
    }
  })
  addEventListener('storage', event => {
    if (event.key === key) value.value = read(key, initial)
  })
  return value
}

function read<T>(key: string, initial: T): T {
  try {
    const text = localStorage.getItem(key)
    const found: unknown = text === null ? initial : JSON.parse(text)
    // Another version of the page may have stored something else here.
    return typeof found === typeof initial && Array.isArray(found) === Array.isArray(initial) ? (found as T) : initial
  } catch {
    return initial
  }
}

export interface Visit {
  readonly title: string
  readonly detail: string
  readonly address: string
}
const mostVisits = 6

/** Types, as `resource.group`. */
export const favourites = remembered<readonly string[]>('favourites', [])
export const visits = remembered<readonly Visit[]>('visits', [])
export const navigation = remembered<'purpose' | 'group'>('navigation', 'purpose')
export const closedSections = remembered<readonly string[]>('closed-sections', [])

export const typeKey = ({ group, resource }: { readonly group: string; readonly resource: string }): string =>
  `${resource}.${group}`

const toggled = (list: readonly string[], key: string) =>
  list.includes(key) ? list.filter(each => each !== key) : [...list, key]
export function toggleFavourite(key: string): void {
  favourites.value = toggled(favourites.value, key)
}
export function toggleSection(key: string): void {
  closedSections.value = toggled(closedSections.value, key)
}
export function rememberVisit(visit: Visit): void {
  visits.value = [visit, ...visits.value.filter(({ address }) => address !== visit.address)].slice(0, mostVisits)
}

/** How the columns of a type's table are shown. */
export interface ColumnChoice {
  /** Names; undefined for the server's default columns. */
  readonly shown?: readonly string[]
  /** Widths in pixels of resized columns, by name. */
  readonly widths?: Readonly<Record<string, number>>
}
export const columnChoices = remembered<Readonly<Record<string, ColumnChoice>>>('columns', {})
