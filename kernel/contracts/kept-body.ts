import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

interface KeptBody {
  /** How often the compressed form was requested. */
  wanted: number
  compressed: Buffer | undefined
}
const bodies = new WeakMap<Buffer, KeptBody>()

/** Marks a body that is sent to many clients and never changes, so that it is compressed once and not for each of them. */
export function keepCompressed(body: Buffer): Buffer {
  if (!bodies.has(body)) bodies.set(body, { wanted: 0, compressed: undefined })
  return body
}

/**
 * The compressed form of such a body, if it exists. zlib's threads create it at the second request: a body that is requested once is
 * compressed while it is sent.
 */
export function compressedForm(body: Buffer | string): Buffer | undefined {
  const kept = typeof body === 'string' ? undefined : bodies.get(body)
  if (!kept) return undefined
  kept.wanted++
  if (kept.wanted === 2)
    compress(body).then(
      made => {
        kept.compressed = made
      },
      // If there is not enough memory, each response is compressed while it is sent, like the first one.
      () => {},
    )
  return kept.compressed
}
