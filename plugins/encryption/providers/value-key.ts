/** A key that encrypts and decrypts values. */
export interface ValueKey {
  /** The prefix of its values, such as `k8s:enc:aesgcm:v1:key1:`. */
  readonly prefix: string
  /** Differs between secrets without revealing them; undefined if this process does not have the secret. */
  readonly check?: string
  /** Encrypts, bound to `context`: decryption with another one fails. */
  seal(plain: Buffer, context: Buffer): Buffer
  /**
   * A promise if the key has to be requested first. Throws if these bytes were not encrypted with it for this context. They are
   * only valid during the call; the result belongs to the caller.
   */
  open(sealed: Buffer, context: Buffer): Buffer | Promise<Buffer>
  /** Whether the same value would be encrypted with another key now. */
  isOutdated?(sealed: Buffer): boolean
}

/** The key cannot be requested right now. The value itself may be intact: a retry may succeed. */
export class KeyUnavailable extends Error {
  override readonly name = 'KeyUnavailable'
}

/** For ciphers without additional authenticated data: the context is encrypted with the value. */
export function withContext(plain: Buffer, context: Buffer): Buffer {
  const length = Buffer.allocUnsafe(2)
  length.writeUInt16BE(context.length)
  return Buffer.concat([length, context, plain])
}
export function withoutContext(opened: Buffer, context: Buffer): Buffer {
  const end = 2 + context.length
  const isBound = opened.length >= end && opened.readUInt16BE(0) === context.length
  if (!isBound || opened.compare(context, 0, context.length, 2, end) !== 0)
    throw new Error('it belongs to another object')
  return opened.subarray(end)
}
