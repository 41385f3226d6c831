/**
 * How an encrypted object is stored, defined only here. To an engine it is an object like any other:
 *
 *   body        {"metadata":{},"encrypted":"k8s:enc:aesgcm:v1:key1:<sealed, in base64>"}
 *   attributes  00 'v' 01 'encrypted' 00
 *   sealed      [length of attributes 4][attributes][room for a version][body], encrypted and bound to the key of the object
 *
 * Labels and fields are encrypted, too, so selectors are evaluated after decryption. To the kernel these attributes are those of an
 * object of version `encrypted`, which no type has: a server without this plugin rejects the object instead of returning it encrypted.
 */

import { andThen } from 'orch/sdk'
import { bodyPrefix, type Revision, StorageError, type StoredObject } from 'orch/sdk/host'
import type { CollectionKeys } from './key-ring.js'
import { KeyUnavailable, type ValueKey } from './providers/value-key.js'

const quote = 0x22
const closingBrace = 0x7d
const colonByte = 0x3a
const comma = 0x2c
const emptyStart = `${bodyPrefix}},"encrypted":"`
const end = '"}'
const versionStart = `${bodyPrefix}"resourceVersion":"`
const afterVersion = Buffer.from('"},"encrypted":"')
const prefixBytes = Buffer.from(bodyPrefix)
/** `k8s:enc:aesgcm:v1:key1:` has so many colons. */
const prefixParts = 5
const lengthBytes = 4
/** Space for `"resourceVersion":"9007199254740991",`: it is inserted in place after decryption, without a copy. */
const room = Buffer.alloc(37, ' ')
/** Instead of a length: the attributes are those of the deleted object. */
const noAttributes = 0xffffffff
const nothing = Buffer.alloc(0)

/** The attributes of every encrypted object. */
export const encryptedAttributes = Buffer.from('\x00v\x01encrypted\x00')
export const isEncryptedMark = (attributes: Buffer | undefined): boolean =>
  attributes?.length === encryptedAttributes.length && attributes.equals(encryptedAttributes)

/** A decrypted object. */
export interface Opened {
  /** As a store returns it, with its version. */
  readonly body: Buffer
  /** Undefined for the last body of a delete that was written without. */
  readonly attributes: Buffer | undefined
  /** Whether it would be written with another key now. */
  readonly isOutdated: boolean
}

/** Encrypts a body for a key of the store. */
export function sealBody(valueKey: ValueKey, key: string, body: Buffer, attributes: Buffer | undefined): Buffer {
  const length = Buffer.allocUnsafe(lengthBytes)
  length.writeUInt32BE(attributes?.length ?? noAttributes)
  const plain = Buffer.concat([length, attributes ?? nothing, room, body])
  const sealed = valueKey.seal(plain, Buffer.from(key))
  return Buffer.from(`${emptyStart}${valueKey.prefix}${sealed.toString('base64')}${end}`, 'latin1')
}

/** Whether a body to be written is already encrypted, as in exports and backups. Other objects never have empty metadata. */
export const isSealed = (body: Buffer | undefined): boolean =>
  body !== undefined && body.length > emptyStart.length && body.toString('latin1', 0, emptyStart.length) === emptyStart

/** The start of the sealed part of a body that a store returns; -1 if it is not encrypted. */
function sealedStart(shown: Buffer): number {
  const digits = shown.indexOf(quote, versionStart.length)
  const start = digits + afterVersion.length
  if (shown[digits + 1] !== closingBrace || start > shown.length) return -1
  return shown.compare(afterVersion, 0, afterVersion.length, digits, start) === 0 ? start : -1
}

/** The prefix of the key that a body was encrypted with, such as `k8s:enc:aesgcm:v1:key1:`; undefined when it is not encrypted. */
export function keyPrefixOf(shown: Buffer): string | undefined {
  const start = sealedStart(shown)
  return start < 0 ? undefined : prefixAt(shown, start)
}
function prefixAt(shown: Buffer, start: number): string {
  let colon = start - 1
  for (let part = 0; part < prefixParts; part++) {
    colon = shown.indexOf(colonByte, colon + 1)
    if (colon < 0) return shown.toString('latin1', start, shown.length - end.length)
  }
  return shown.toString('latin1', start, colon + 1)
}

/** Decrypts a body that a store returns; a promise if the key has to be requested. Throws a StorageError. */
export function openBody(
  keys: CollectionKeys,
  key: string,
  shown: Buffer,
  attributes: Buffer | undefined,
): Opened | Promise<Opened> {
  const start = sealedStart(shown)
  if (start < 0) return openPlain(keys, key, shown, attributes)
  const valueKey = keyAt(keys, key, shown, start)
  const sealed = decoded(shown, start + valueKey.prefix.length, shown.length - end.length)
  const isOutdated = keys.write !== valueKey || (valueKey.isOutdated?.(sealed) ?? false)
  try {
    const plain = valueKey.open(sealed, Buffer.from(key))
    return andThen(
      plain,
      bytes => openedParts(key, bytes, shown, start, isOutdated),
      (error): never => {
        throw refusal(key, valueKey, error)
      },
    )
  } catch (error) {
    throw refusal(key, valueKey, error)
  }
}

/** Ciphertexts are decoded here, one at a time: allocating a buffer for each would cost more than decrypting it. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024)
const keptScratchBytes = 4 * 2 ** 20

/** Only valid until the next call. */
function decoded(shown: Buffer, start: number, stop: number): Buffer {
  const text = shown.toString('latin1', start, stop)
  if (text.length > keptScratchBytes) return Buffer.from(text, 'base64')
  if (text.length > scratch.length) scratch = Buffer.allocUnsafeSlow(text.length)
  return scratch.subarray(0, scratch.write(text, 'base64'))
}

function openPlain(keys: CollectionKeys, key: string, shown: Buffer, attributes: Buffer | undefined): Opened {
  if (!keys.readsPlain)
    throw unreadable(key, 'it is not encrypted, and "identity" is not among the providers of its resource')
  return {
    body: shown,
    attributes: isEncryptedMark(attributes) ? undefined : attributes,
    isOutdated: keys.write !== undefined,
  }
}

/** The key that the sealed part names. Mostly it is the one that writes, which a comparison of a few bytes shows. */
function keyAt(keys: CollectionKeys, key: string, shown: Buffer, start: number): ValueKey {
  const usual = keys.write
  if (usual && isPrefixAt(shown, start, usual.prefix)) return usual
  const prefix = prefixAt(shown, start)
  const found = keys.find(prefix)
  if (found) return found
  const why = `it is encrypted with ${nameOfKey(prefix)}, which the encryption configuration does not have for its resource`
  throw unreadable(key, why)
}
function isPrefixAt(shown: Buffer, start: number, prefix: string): boolean {
  for (let at = 0; at < prefix.length; at++) if (shown[start + at] !== prefix.charCodeAt(at)) return false
  return true
}

function refusal(key: string, { prefix }: ValueKey, error: unknown): StorageError {
  if (error instanceof StorageError) return error
  if (error instanceof KeyUnavailable)
    return new StorageError('sealed', `${nameOfObject(key)} cannot be decrypted now: ${error.message}`, {
      cause: error,
    })
  return unreadable(key, `${nameOfKey(prefix)} does not decrypt it`, error)
}

/** The parts of the plaintext; the version of the object is before the sealed part. */
function openedParts(key: string, plain: Buffer, shown: Buffer, start: number, isOutdated: boolean): Opened {
  const length = plain.length < lengthBytes ? plain.length : plain.readUInt32BE(0)
  const bodyStart = lengthBytes + (length === noAttributes ? 0 : length) + room.length
  const rest = bodyStart + prefixBytes.length
  if (rest >= plain.length || plain.compare(prefixBytes, 0, prefixBytes.length, bodyStart, rest) !== 0)
    throw unreadable(key, 'the decrypted data is not an object')
  const attributes = length === noAttributes ? undefined : plain.subarray(lengthBytes, lengthBytes + length)
  const versionEnd = start - afterVersion.length + 1
  const isLast = plain[rest] === closingBrace
  const shownStart = rest - versionEnd - (isLast ? 0 : 1)
  shown.copy(plain, shownStart, 0, versionEnd)
  if (!isLast) plain[rest - 1] = comma
  return { body: plain.subarray(shownStart), attributes, isOutdated }
}

/** `key "key1" of provider aesgcm` for `k8s:enc:aesgcm:v1:key1:`. */
export function nameOfKey(prefix: string): string {
  const [, , provider, , name] = prefix.split(':')
  return `key "${name}" of provider ${provider}`
}

const unreadable = (key: string, why: string, cause?: unknown): StorageError =>
  new StorageError('unreadable', `${nameOfObject(key)} cannot be decrypted: ${why}`, { cause })

function nameOfObject(key: string): string {
  const [group = '', resource = '', ...names] = key.split('/')
  return `${group === '' ? resource : `${resource}.${group}`} "${names.join('/')}"`
}

/** An object as it is stored, decrypted. */
export const openedObject = (key: string, modRevision: Revision, opened: Opened): StoredObject => ({
  key,
  modRevision,
  body: opened.body,
  attributes: opened.attributes ?? Buffer.alloc(0),
  ...(opened.isOutdated ? { isConverted: true } : {}),
})
