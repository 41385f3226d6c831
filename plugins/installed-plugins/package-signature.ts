import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { PackageProblem } from './package-problem.js'

/** Public keys from PEM files, each of which may contain several. Throws if one is not an Ed25519 key. */
export function signingKeysFrom(files: readonly string[]): KeyObject[] {
  return files.flatMap(file => {
    const blocks = readFileSync(file, 'utf8').split(/^(?=-----BEGIN )/m)
    const pems = blocks.filter(text => text.startsWith('-----BEGIN '))
    if (pems.length === 0) throw new Error(`pluginSigningKeys: ${file} has no public key in PEM`)
    return pems.map(pem => {
      const key = createPublicKey(pem)
      if (key.asymmetricKeyType !== 'ed25519')
        throw new Error(`pluginSigningKeys: ${file} has a key of type ${key.asymmetricKeyType}; it must be ed25519`)
      return key
    })
  })
}

/**
 * Throws unless one of the keys signed the package. The signature covers the text of its hash, `sha256-…` or `sha512-…`
 * as shown in the status, so that packages can be signed without this program. Without keys nothing is checked.
 */
export function checkSignature(
  hashes: Readonly<Record<string, string>>,
  signature: string | undefined,
  keys: readonly KeyObject[],
): void {
  if (keys.length === 0) return
  if (signature === undefined || signature === '')
    throw new PackageProblem('spec.signature: this server loads signed packages only, and there is no signature')
  const bytes = Buffer.from(signature, 'base64')
  const isSigned = keys.some(key => Object.values(hashes).some(hash => verify(null, Buffer.from(hash), key, bytes)))
  if (!isSigned)
    throw new PackageProblem(
      `spec.signature: it is not a signature of the package (${hashes['sha256']}) by a key that this server trusts`,
    )
}
