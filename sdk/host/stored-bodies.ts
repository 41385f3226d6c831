/** Bodies as a store shows them, and as they are written. */
import { bodyPrefix, type ListChunk, type Revision, StorageError } from './storage.js'

/** The bodies of a chunk, one by one. */
export function* bodiesOf(chunk: ListChunk): Iterable<Buffer> {
  for (let i = 0; i < chunk.count; i++) {
    const next = chunk.offsets[i + 1]
    yield chunk.joined.subarray(chunk.offsets[i], next === undefined ? chunk.joined.length : next - 1)
  }
}

const versionStart = `${bodyPrefix}"resourceVersion":"`
const comma = 0x2c
const closingBrace = 0x7d

/** A body as a store shows it: with the revision of its write. */
export function withVersion(body: Buffer, revision: Revision): Buffer {
  const isLast = body[bodyPrefix.length] === closingBrace
  const start = `${versionStart}${revision}${isLast ? '"' : '",'}`
  const shown = Buffer.allocUnsafe(start.length + body.length - bodyPrefix.length)
  shown.write(start, 'latin1')
  body.copy(shown, start.length, bodyPrefix.length)
  return shown
}

/** Splits a body as a store shows it into its version and what was written. */
export function withoutVersion(shown: Buffer): { modRevision: Revision; body: Buffer } {
  const end = shown.indexOf('"', versionStart.length)
  if (shown.toString('latin1', 0, versionStart.length) !== versionStart || end < 0) {
    throw new StorageError('corrupt', 'an object in the store has no version')
  }
  const rest = shown[end + 1] === comma ? end + 2 : end + 1
  const modRevision = Number(shown.toString('latin1', versionStart.length, end))
  return { modRevision, body: Buffer.concat([Buffer.from(bodyPrefix), shown.subarray(rest)]) }
}
