import { signal } from '@preact/signals'
import type { ObjectCounts } from '../../settings.js'
import { mayWith } from './access.js'
import { type Anything, requestJson } from './api.js'
import { listableTypes } from './catalogue.js'
import { collectionPath } from './paths.js'
import { typeKey } from './preferences.js'
import type { ResourceType } from './resource-type.js'
import { impersonation, settings } from './session.js'

/** How many objects there are of each type, in the chosen namespace or in all. */
export const counts = signal<ReadonlyMap<string, number>>(new Map())

const requestsAtOnce = 3
const periodMs = 30_000
const showEveryMs = 200
/** The first view has the connections for itself. */
const firstAfterMs = 400

/** Takes over what somebody else has counted; drawn again only for something new. */
export function setCounts(found: ReadonlyMap<string, number>): void {
  const isNew = [...found].some(([key, count]) => counts.value.get(key) !== count)
  if (isNew) counts.value = new Map([...counts.value, ...found])
}

/** The server says how many more there are than the one that it sends. */
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
/** What the server counts in one answer; nothing for those who may not ask. Whoever asks at nearly the same time shares it. */
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

/** Counts all types now and then, until the returned function is called. */
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
        // What is known is shown while the rest is counted, but not drawn again for each.
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
