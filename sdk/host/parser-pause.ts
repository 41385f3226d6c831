import type { Duplex } from 'node:stream'

interface WithState {
  readonly _writableState: { highWaterMark: number }
}

/**
 * A larger number would not be a small integer (Smi) of V8, and every stream of the process would compare
 * floating-point numbers.
 */
const maxSmallInteger = 2 ** 31 - 1

/**
 * Keeps parsing requests while a response is being sent, unless more than this many bytes of it are unsent. A client
 * that has read its answer may send the next request before Node knows that the answer was sent. While more than the
 * socket's high-water mark is being sent, Node pauses the parser when it finds a request; over TLS, records that came
 * together are all decrypted nevertheless, the next one meets the paused parser (`HPE_PAUSED`), and Node destroys the
 * connection. Versions 20, 22 and 24 do. So the mark has to be higher than what a client may leave unread, which the
 * server has to bound by itself.
 */
export function preventParserPause(socket: Duplex, unreachableBytes = maxSmallInteger): void {
  // Node has no option for one direction of an accepted socket.
  ;(socket as unknown as WithState)._writableState.highWaterMark = unreachableBytes
}
