import { CompactedError, type ListChunk, type ListRequest, type Revision, withVersion } from 'orch/sdk/host'
import type { Memory } from './memory.js'

/** Large enough to be worth a write to a socket, small enough to be held in memory for every client. */
const chunkBytes = 256 * 1024
const comma = Buffer.from(',')

/** A list at one revision, in chunks. Between two chunks there may be writes, and the revision may be compacted. */
export function* listChunks(memory: Memory, request: ListRequest, revision: Revision): Generator<ListChunk> {
  const { prefix, after, limit, filter, isUsual } = request
  const isAfter = (key: string) => after === undefined || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0
  const found = memory.keys(prefix).flatMap(key => {
    const version = isAfter(key) ? memory.at(key, revision) : undefined
    const isWanted = version?.body !== undefined && (filter?.(version.attributes) ?? true)
    return isWanted ? [{ key, body: version.body, attributes: version.attributes, revision: version.revision }] : []
  })
  const page = limit === undefined ? found : found.slice(0, limit)
  const remaining = found.length - page.length
  for (let start = 0; start < page.length; ) {
    if (revision < memory.compacted) throw new CompactedError(memory.compacted)
    const parts: Buffer[] = []
    const offsets: number[] = []
    const otherAttributes = new Map<number, Buffer>()
    let [end, size] = [start, 0]
    for (; end < page.length && size < chunkBytes; end++) {
      const { body, attributes, revision: modified } = page[end]!
      if (isUsual && !isUsual(attributes, 0, attributes.length)) otherAttributes.set(end - start, attributes)
      const readable = withVersion(body, modified)
      offsets.push(size)
      parts.push(readable, comma)
      size += readable.length + comma.length
    }
    const isLast = end === page.length
    yield {
      joined: Buffer.concat(parts.slice(0, -1)),
      count: end - start,
      offsets,
      lastKey: page[end - 1]!.key,
      ...(otherAttributes.size > 0 ? { otherAttributes } : {}),
      ...(request.keys ? { keys: page.slice(start, end).map(({ key }) => key) } : {}),
      more: isLast && remaining > 0,
      ...(isLast && remaining > 0 && !filter ? { remaining } : {}),
    }
    start = end
  }
}
