import { status } from '@grpc/grpc-js'
import { CallError } from './call-error.js'
import { decodeHeaders } from './hpack.js'

/** Size of the header of a gRPC message: the compression flag and the length. */
export const messageHeader = 5
const knownBlocks = 100

/** Decodes header blocks. Without a dynamic table, equal bytes are equal headers, so blocks are cached: nearly all are the same. */
export class HeaderReader {
  readonly #known = new Map<string, ReadonlyMap<string, string>>()

  read(block: Buffer): ReadonlyMap<string, string> {
    const key = block.toString('latin1')
    let headers = this.#known.get(key)
    if (headers === undefined) {
      headers = decodeHeaders(block)
      if (this.#known.size < knownBlocks) this.#known.set(key, headers)
    }
    return headers
  }
}

/** The result of a call after a header block, initial or trailing; undefined if the call continues. */
export function answerOf(
  headers: ReadonlyMap<string, string>,
  received: readonly Buffer[],
  isEnd: boolean,
): Buffer | CallError | undefined {
  const http = headers.get(':status') ?? '200'
  if (http !== '200') {
    const code = ['429', '502', '503', '504'].includes(http) ? status.UNAVAILABLE : status.UNKNOWN
    return new CallError(code, `the member answers with HTTP status ${http}`)
  }
  if (!isEnd) return undefined
  const code = Number(headers.get('grpc-status') ?? status.UNKNOWN)
  if (code !== status.OK) return new CallError(code, textOf(headers.get('grpc-message') ?? ''))
  const answer = received.length === 1 ? received[0]! : Buffer.concat(received)
  const isPlain = answer.length >= messageHeader && answer[0] === 0
  if (isPlain && answer.readUInt32BE(1) === answer.length - messageHeader) return answer.subarray(messageHeader)
  return new CallError(status.INTERNAL, 'the answer is not one message')
}

function textOf(percentEncoded: string): string {
  try {
    return decodeURIComponent(percentEncoded)
  } catch {
    return percentEncoded
  }
}
