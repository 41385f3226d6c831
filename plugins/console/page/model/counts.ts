import { signal } from '@preact/signals'
import type { ObjectCounts } from '../../settings.js'
import { mayWith } from './access.js'
import { type Anything, requestJson } from './api.js'
import { listableTypes } from './catalogue.js'
import { collectionPath } from './paths.js'
import { typeKey } from './preferences.js'
import type { ResourceType } from './resource-type.js'
import { impersonation, settings } from './session.js'

/** The number of objects of each type, in the chosen namespace or in all. */
export const counts = signal<ReadonlyMap<string, number>>(new Map())

const requestsAtOnce = 3
const periodMs = 30_000
const showEveryMs = 200
/** Leaves the connections to the first view. */
const firstAfterMs = 400

/** Adds counts that another view has found. Renders only if one has changed. */
export function setCounts(found: ReadonlyMap<string, number>): void {
  const isNew = [...found].some(([key, count]) => counts.value.get(key) !== count)
  if (isNew) counts.value = new Map([...counts.value, ...found])
}

/** Reads one object; the list has the number of remaining ones. */
async function countOf(type: ResourceType, namespace: string, signal: AbortSignal): Promise<number> {
  const accept = `application/json;as=PartialObjectMetadataList;g=${settings.value.metaGroup};v=v1`
  const { items, metadata }: Anything = await requestJson(`${collectionPath(type, namespace)}?limit=1`, {
    headers: { Accept: accept },
    priority: 'low',
    signal,
  })
  return (items?.length ?? 0) + (metadata.remainingItemCount ?? 0)
}

let last: { readonly by: string; readonly answer: Promise<ReadonlyMap<string, number>> } | undefined
const freshMs = 1000
/** The counts of all types in one response; empty without permission. Concurrent callers share a request. */
export function countsOfServer(namespace: string): Promise<ReadonlyMap<string, number>> {
  const by = JSON.stringify([impersonation.peek(), namespace])
  if (last?.by === by) return last.answer
  const answer = requestJson<ObjectCounts>(`/console/counts?namespace=${encodeURIComponent(namespace)}`).then(
    found => new Map(Object.entries(found)),
    () => new Map<string, number>(),
  )
  last = { by, answer }
  void answer.then(() => setTimeout(() => last?.answer === answer && (last = undefined), freshMs))
  return answer
}

/** Counts all types periodically, until the returned function is called. */
export function followCounts(namespace: string): () => void {
  const ending = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const countAll = async () => {
    const found = document.hidden ? new Map<string, number>() : new Map(await countsOfServer(namespace))
    const queue = document.hidden
      ? []
      : listableTypes.value
          .filter(type => !found.has(typeKey(type)))
          .filter(type => mayWith('list', type, namespace) !== false)
    let shownAt = performance.now()
    const work = async () => {
      for (let next = queue.shift(); next && !ending.signal.aborted; next = queue.shift()) {
        const count = await countOf(next, next.isNamespaced ? namespace : '', ending.signal).catch(() => undefined)
        if (count === undefined || ending.signal.aborted) continue
        found.set(typeKey(next), count)
        // Shows intermediate results, but does not render for each count.
        if (performance.now() - shownAt < showEveryMs) continue
        shownAt = performance.now()
        counts.value = new Map([...counts.value, ...found])
      }
    }
    await Promise.all(Array.from({ length: requestsAtOnce }, work))
    if (ending.signal.aborted) return
    if (found.size > 0) counts.value = found
    timer = setTimeout(countAll, periodMs)
  }
  timer = setTimeout(countAll, firstAfterMs)
  return () => {
    clearTimeout(timer)
    ending.abort()
  }
}

export const countText = (count: number | undefined): string =>
  count === undefined ? '' : count < 10_000 ? String(count) : `${Math.round(count / 1000)}k`
