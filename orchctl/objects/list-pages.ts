import { isExpired, type ListOptions, type ObjectList, type ResourceClient } from 'orch/sdk/client'

/** Default number of objects per request. */
export const defaultChunk = 500

/** The pages of a collection. If the continue token expires meanwhile, the whole collection is read again in a single request. */
export async function listPages<T>(
  collection: ResourceClient<T>,
  options: ListOptions,
  chunk: number,
): Promise<ObjectList<T>[]> {
  const pages: ObjectList<T>[] = []
  let next: string | undefined
  do {
    try {
      const page = await collection.list({
        ...options,
        ...(chunk > 0 ? { limit: chunk } : {}),
        ...(next ? { continue: next } : {}),
      })
      pages.push(page)
      next = page.metadata.continue
    } catch (error) {
      if (next === undefined || !isExpired(error)) throw error
      return [await collection.list(options)]
    }
  } while (next)
  return pages
}
