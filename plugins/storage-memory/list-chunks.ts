import { CompactedError, type ListChunk, type ListRequest, type Revision } from 'orch/sdk/host'
import type { Memory } from './memory.js'
import type { Version } from './version.js'

/** Large enough to be worth a write to a socket, small enough to be held in memory for every client. */
const chunkBytes = 256 * 1024
const comma = Buffer.from(',')

interface Found {
  readonly key: string
  readonly version: Version & { readonly body: Buffer }
}

/** A list at one revision, in chunks. Between two chunks there may be writes, and the revision may be compacted. */
export function* listChunks(memory: Memory, request: ListRequest, revision: Revision): Generator<ListChunk> {
  const { limit = Number.POSITIVE_INFINITY, isUsual } = request
  let { after } = request
  let taken = 0
  for (;;) {
    if (revision < memory.compacted) throw new CompactedError(memory.compacted)
    const { found, hasMore } = nextChunk(memory, { ...request, after }, revision, limit - taken)
    const last = found.at(-1)
    if (last === undefined) return
    taken += found.length
    after = last.key
    const otherAttributes = new Map<number, Buffer>()
    if (isUsual)
      for (const [at, { version }] of found.entries())
        if (!isUsual(version.attributes, 0, version.attributes.length))
          otherAttributes.set(at, Buffer.from(version.attributes))
    const isFull = taken >= limit && hasMore
    yield {
      ...joinedBodies(found),
      count: found.length,
      lastKey: last.key,
      ...(otherAttributes.size > 0 ? { otherAttributes } : {}),
      ...(request.keys ? { keys: found.map(({ key }) => key) } : {}),
      more: isFull,
      ...(isFull && !request.filter ? { remaining: countAfter(memory, request.prefix, last.key, revision) } : {}),
    }
    if (!hasMore || isFull) return
  }
}

/** The next chunk, and whether more may follow; once the limit is reached, whether more matching objects follow. */
function nextChunk(
  memory: Memory,
  { prefix, after, filter }: ListRequest,
  revision: Revision,
  limit: number,
): { found: Found[]; hasMore: boolean } {
  const found: Found[] = []
  let size = 0
  for (const key of memory.keys(prefix, after)) {
    // The filter must be called once per object: the next chunk does that for this one.
    if (size >= chunkBytes && found.length < limit) return { found, hasMore: true }
    const version = memory.at(key, revision)
    if (version?.body === undefined || filter?.(version.attributes) === false) continue
    if (found.length >= limit) return { found, hasMore: true }
    found.push({ key, version: { ...version, body: version.body } })
    size += version.body.length
  }
  return { found, hasMore: false }
}

function joinedBodies(found: readonly Found[]): { joined: Buffer; offsets: number[] } {
  const offsets: number[] = []
  const parts: Buffer[] = []
  let size = 0
  for (const { version } of found) {
    offsets.push(size)
    if (parts.length > 0) parts.push(comma)
    parts.push(version.body)
    size += version.body.length + comma.length
  }
  return { joined: Buffer.concat(parts), offsets }
}

function countAfter(memory: Memory, prefix: string, key: string, revision: Revision): number {
  let count = 0
  for (const each of memory.keys(prefix, key)) if (memory.at(each, revision)) count++
  return count
}
