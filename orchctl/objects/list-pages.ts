import { isExpired, type ListOptions, type ObjectList, type ResourceClient } from 'orch/sdk/client'

/** Objects per request when nobody says. */
export const usualChunk = 500

/** The pages of a collection. When it changes too much meanwhile, what is left comes again in one piece with the rest. */
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
