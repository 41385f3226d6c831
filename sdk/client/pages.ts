import type { ListOptions, ObjectList, ResourceClient } from './client.js'
import { isExpired } from './error-answers.js'

/** Objects per request by default: a small load for the server, and few requests. */
export const usualPageSize = 500

interface Identified {
  readonly metadata?: { readonly namespace?: string; readonly name?: string }
}
const identity = (object: unknown) => {
  const { metadata } = object as Identified
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`
}

type Lister<T> = Pick<ResourceClient<T>, 'list'>

/**
 * The pages of a listing. When the token of the next page has expired, the listing starts over in one piece: the page
 * then is marked `restarted`.
 */
async function* pages<T>(
  resource: Lister<T>,
  options: ListOptions,
): AsyncGenerator<{ page: ObjectList<T>; restarted: boolean }> {
  let next: ListOptions = { limit: usualPageSize, ...options }
  for (;;) {
    let page: ObjectList<T>
    try {
      page = await resource.list(next)
    } catch (error) {
      if (!isExpired(error) || next.continue === undefined) throw error
      const { limit: _, continue: __, ...whole } = options
      yield { page: await resource.list(whole), restarted: true }
      return
    }
    yield { page, restarted: false }
    if (!page.metadata.continue) return
    // The token stands for the version of the first page; sending that version too is an error.
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = next
    next = { ...rest, continue: page.metadata.continue }
  }
}

/** Every object, each once, page by page. */
export async function* eachObject<T>(resource: Lister<T>, options: ListOptions): AsyncGenerator<T> {
  const seen = new Set<string>()
  for await (const { page, restarted } of pages(resource, options)) {
    const remember = !restarted && page.metadata.continue
    for (const object of page.items) {
      if (restarted && seen.has(identity(object))) continue
      if (remember) seen.add(identity(object))
      yield object
    }
  }
}

/** One consistent copy of a collection, fetched page by page. */
export async function listEverything<T>(
  resource: Lister<T>,
  options: ListOptions,
): Promise<{ items: T[]; resourceVersion: string }> {
  let items: T[] = []
  let resourceVersion = ''
  for await (const { page, restarted } of pages(resource, options)) {
    items = restarted || items.length === 0 ? page.items : items.concat(page.items)
    resourceVersion = page.metadata.resourceVersion
  }
  return { items, resourceVersion }
}
