import { randomBytes } from 'node:crypto'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa'
import { type ValueKey, withContext, withoutContext } from './value-key.js'

const nonceBytes = 24

/** `[nonce 24][XSalsa20 and Poly1305, as NaCl's secretbox]`. */
export const secretboxKey = (prefix: string, secret: Buffer): ValueKey => ({
  prefix,
  seal(plain, context) {
    const nonce = randomBytes(nonceBytes)
    return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(withContext(plain, context))])
  },
  open(sealed, context) {
    const box = xsalsa20poly1305(secret, sealed.subarray(0, nonceBytes))
    const { buffer, byteOffset, length } = box.decrypt(sealed.subarray(nonceBytes))
    return withoutContext(Buffer.from(buffer, byteOffset, length), context)
  },
})
