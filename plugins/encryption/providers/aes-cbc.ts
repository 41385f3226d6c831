import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { type ValueKey, withContext, withoutContext } from './value-key.js'

const vectorBytes = 16

/** `[initialization vector 16][encrypted, with PKCS#7 padding]`. It is not authenticated: prefer another one. */
export function aesCbcKey(prefix: string, secret: Buffer): ValueKey {
  const key = createSecretKey(secret)
  const cipherName = `aes-${secret.length * 8}-cbc`
  return {
    prefix,
    seal(plain, context) {
      const vector = randomBytes(vectorBytes)
      const cipher = createCipheriv(cipherName, key, vector)
      return Buffer.concat([vector, cipher.update(withContext(plain, context)), cipher.final()])
    },
    open(sealed, context) {
      const decipher = createDecipheriv(cipherName, key, sealed.subarray(0, vectorBytes))
      const opened = Buffer.concat([decipher.update(sealed.subarray(vectorBytes)), decipher.final()])
      return withoutContext(opened, context)
    },
  }
}
