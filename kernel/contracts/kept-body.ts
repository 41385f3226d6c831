import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

interface KeptBody {
  /** How often its compressed form was wanted. */
  wanted: number
  compressed: Buffer | undefined
}
const bodies = new WeakMap<Buffer, KeptBody>()

/** Says that a body is sent to many and never changes: it is not compressed for each of them. */
export function keepCompressed(body: Buffer): Buffer {
  if (!bodies.has(body)) bodies.set(body, { wanted: 0, compressed: undefined })
  return body
}

/**
 * The compressed form of a body that is kept, if it is there. zlib's threads make it when it is wanted for the second time: what one
 * client asks for once is compressed while it is sent.
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
      // Without memory for it, each answer is compressed while it is sent, as the first was.
      () => {},
    )
  return kept.compressed
}
