/** A key that values are sealed and opened with. */
export interface ValueKey {
  /** What every value that was sealed with it begins with, such as `k8s:enc:aesgcm:v1:key1:`. */
  readonly prefix: string
  /** Differs between secrets without revealing them; undefined if this process does not have the secret. */
  readonly check?: string
  /** Encrypts, bound to `context`: opened with another one it is refused. */
  seal(plain: Buffer, context: Buffer): Buffer
  /**
   * A promise where the key has to be asked for first. Throws when these bytes were not sealed with it for this context. They are
   * only valid during the call; what comes back belongs to the caller.
   */
  open(sealed: Buffer, context: Buffer): Buffer | Promise<Buffer>
  /** Would the same value be sealed otherwise today? */
  isOutdated?(sealed: Buffer): boolean
}

/** The key cannot be asked for right now. It says nothing of the value: the same may succeed later. */
export class KeyAway extends Error {
  override readonly name = 'KeyAway'
}

/** For ciphers that know no additional authenticated data: the context goes with the value. */
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
