import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { ValueKey } from './value-key.js'

const nonceBytes = 12
const tagBytes = 16
const options = { authTagLength: tagBytes }

const cipherOf = (key: KeyObject) => `aes-${(key.symmetricKeySize ?? 0) * 8}-gcm` as 'aes-256-gcm'

/** `[nonce 12][encrypted][tag 16]`, bound to the context as additional authenticated data. */
export function sealWithAesGcm(key: KeyObject, plain: Buffer, context: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(cipherOf(key), key, nonce, options)
  cipher.setAAD(context)
  const encrypted = cipher.update(plain)
  cipher.final()
  return Buffer.concat([nonce, encrypted, cipher.getAuthTag()])
}

export function openWithAesGcm(key: KeyObject, sealed: Buffer, context: Buffer): Buffer {
  const end = sealed.length - tagBytes
  if (end < nonceBytes) throw new Error('it is too short')
  const decipher = createDecipheriv(cipherOf(key), key, sealed.subarray(0, nonceBytes), options)
  decipher.setAAD(context)
  decipher.setAuthTag(sealed.subarray(end))
  const plain = decipher.update(sealed.subarray(nonceBytes, end))
  decipher.final()
  return plain
}

export function aesGcmKey(prefix: string, secret: Buffer): ValueKey {
  const key = createSecretKey(secret)
  return {
    prefix,
    seal: (plain, context) => sealWithAesGcm(key, plain, context),
    open: (sealed, context) => openWithAesGcm(key, sealed, context),
  }
}
