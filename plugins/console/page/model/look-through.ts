import { type Anything, requestJson } from './api.js'
import { collectionPath } from './paths.js'
import type { ResourceType } from './resource-type.js'

/** Types that could not be read, and types of which only the first objects were read. */
export interface Gaps {
  readonly unseen: readonly string[]
  readonly partly: readonly string[]
}
const requestsAtOnce = 4

/** Reads the first objects of several types, of a namespace or of all. */
export async function lookThrough(
  types: readonly ResourceType[],
  namespace: string | undefined,
  options: { readonly most: number; readonly accept?: string },
  take: (type: ResourceType, items: readonly Anything[]) => void,
): Promise<Gaps> {
  const unseen: string[] = []
  const partly: string[] = []
  const queue = [...types]
  const headers = options.accept === undefined ? {} : { headers: { Accept: options.accept } }
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const looked = next
      await requestJson(`${collectionPath(looked, namespace)}?limit=${options.most}`, headers).then(
        ({ items, metadata }: Anything) => {
          if (metadata.continue) partly.push(looked.resource)
          take(looked, items)
        },
        () => unseen.push(looked.resource),
      )
    }
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, work))
  return { unseen, partly }
}
