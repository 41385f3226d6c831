import {
  bodiesOf,
  type ListChunk,
  type ListPage,
  type ReplicatedObject,
  type StoreReplica,
  withoutVersion,
} from 'orch/sdk/host'

/** Called with the number of objects copied so far. */
export type Progress = (copied: number) => void

/** Copies a list of all objects, with keys and attributes, into an empty replica. */
export async function fillReplica(replica: StoreReplica, page: ListPage, progress: Progress): Promise<number> {
  let copied = 0
  for await (const chunk of page.items) {
    replica.fill(objectsOf(chunk))
    copied += chunk.count
    progress(copied)
  }
  replica.filled(page.revision)
  return copied
}

function objectsOf(chunk: ListChunk): ReplicatedObject[] {
  return [...bodiesOf(chunk)].map((shown, index) => ({
    key: chunk.keys![index]!,
    attributes: chunk.otherAttributes!.get(index)!,
    ...withoutVersion(shown),
  }))
}
