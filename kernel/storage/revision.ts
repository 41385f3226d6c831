/**
 * The byte layouts of the store; no other file depends on them. All numbers are big endian, so that keys sort by number.
 *
 *   record   [modRevision 8][length of attributes 4][attributes][body with its resourceVersion]
 *   state    [revision 8][compacted revision 8]
 *   entry    [type 1][unused 1][length of key 2][time 8][length of previous 4][length of last 4][key][previous][last]
 *   past key [key][00][revision 8]
 *
 * `previous` is the record that the write replaced, `last` the record that a delete shows when its caller gave one. Keys of
 * objects hold no 00, therefore past keys sort by key first and by revision second.
 */
import { bodyPrefix, type Revision, type StoredObject, type StoreEventType } from 'orch/sdk/host'

export const revisionLength = 8
export const recordHeader = 12
const entryHeader = 20
const twoTo32 = 2 ** 32
const closingBrace = 0x7d
const comma = 0x2c
const versionField = '"resourceVersion":"'
const prefixBytes = Buffer.from(bodyPrefix)

export function writeRevision(target: Buffer, revision: Revision, offset: number): number {
  target.writeUInt32BE(Math.floor(revision / twoTo32), offset)
  return target.writeUInt32BE(revision >>> 0, offset + 4)
}
export const readRevision = (source: Buffer, offset: number): Revision =>
  source.readUInt32BE(offset) * twoTo32 + source.readUInt32BE(offset + 4)

export interface State {
  readonly revision: Revision
  readonly compacted: Revision
}
export function encodeState({ revision, compacted }: State): Buffer {
  const state = Buffer.allocUnsafe(2 * revisionLength)
  writeRevision(state, compacted, writeRevision(state, revision, 0))
  return state
}
export const decodeState = (bytes: Buffer): State => ({
  revision: readRevision(bytes, 0),
  compacted: readRevision(bytes, revisionLength),
})

/** True when the bytes can be stored as a body: the engine relies on this start and on nothing else. */
export const isBody = (body: Buffer): boolean =>
  body.length > prefixBytes.length && body.compare(prefixBytes, 0, prefixBytes.length, 0, prefixBytes.length) === 0

/** Joins prefix, resourceVersion and `rest`: what follows the prefix in a body without resourceVersion. */
function joinRecord(attributes: Buffer, rest: Buffer, restStart: number, revision: Revision): Buffer {
  const isLast = rest[restStart] === closingBrace
  const version = `${versionField}${revision}${isLast ? '"' : '",'}`
  const bodyStart = recordHeader + attributes.length
  const restTarget = bodyStart + prefixBytes.length + version.length
  const record = Buffer.allocUnsafe(restTarget + rest.length - restStart)
  writeRevision(record, revision, 0)
  record.writeUInt32BE(attributes.length, 8)
  record.set(attributes, recordHeader)
  record.set(prefixBytes, bodyStart)
  record.write(version, bodyStart + prefixBytes.length, 'latin1')
  rest.copy(record, restTarget, restStart)
  return record
}

export const encodeRecord = (body: Buffer, attributes: Buffer, revision: Revision): Buffer =>
  joinRecord(attributes, body, prefixBytes.length, revision)

/** The record again, as of another revision: what a delete shows. */
export function restampRecord(record: Buffer, revision: Revision): Buffer {
  const versionEnd =
    bodyStartOf(record) + prefixBytes.length + versionField.length + digitsOf(modRevisionOf(record)) + 1
  const restStart = record[versionEnd] === comma ? versionEnd + 1 : versionEnd
  return joinRecord(attributesOf(record), record, restStart, revision)
}
const digitsOf = (revision: Revision): number => String(revision).length

export const modRevisionOf = (record: Buffer): Revision => readRevision(record, 0)
const attributesLengthOf = (record: Buffer): number => record.readUInt32BE(8)
export const bodyStartOf = (record: Buffer): number => recordHeader + attributesLengthOf(record)
export const attributesOf = (record: Buffer): Buffer => record.subarray(recordHeader, bodyStartOf(record))
export const bodyOf = (record: Buffer): Buffer => record.subarray(bodyStartOf(record))
export const storedObject = (key: string, record: Buffer): StoredObject => ({
  key,
  modRevision: modRevisionOf(record),
  body: bodyOf(record),
  attributes: attributesOf(record),
})

const types: readonly StoreEventType[] = ['create', 'update', 'delete']

export interface LogEntry {
  readonly type: StoreEventType
  readonly time: number
  readonly key: string
  readonly previous: Buffer | undefined
  readonly last: Buffer | undefined
}

export function encodeEntry(
  type: StoreEventType,
  key: string,
  time: number,
  previous: Buffer | undefined,
  last: Buffer | undefined,
): Buffer {
  const keyLength = Buffer.byteLength(key)
  const previousLength = previous?.length ?? 0
  const previousStart = entryHeader + keyLength
  const entry = Buffer.allocUnsafe(previousStart + previousLength + (last?.length ?? 0))
  entry[0] = types.indexOf(type)
  entry[1] = 0
  entry.writeUInt16BE(keyLength, 2)
  writeRevision(entry, Math.max(0, Math.floor(time)), 4)
  entry.writeUInt32BE(previousLength, 12)
  entry.writeUInt32BE(last?.length ?? 0, 16)
  entry.write(key, entryHeader)
  if (previous !== undefined) entry.set(previous, previousStart)
  if (last !== undefined) entry.set(last, previousStart + previousLength)
  return entry
}

export const entryTimeOf = (entry: Buffer): number => readRevision(entry, 4)
export const entryKeyOf = (entry: Buffer): string =>
  entry.toString('utf8', entryHeader, entryHeader + entry.readUInt16BE(2))
export const entryTypeOf = (entry: Buffer): StoreEventType => {
  const type = types[entry[0] ?? types.length]
  if (type === undefined) throw new Error(`log entry of unknown type ${entry[0]}`)
  return type
}
/** Whether the key of an entry starts with these bytes, without reading the key. */
export const entryHasPrefix = (entry: Buffer, prefix: Buffer): boolean =>
  entry.readUInt16BE(2) >= prefix.length &&
  (prefix.length === 0 || entry.compare(prefix, 0, prefix.length, entryHeader, entryHeader + prefix.length) === 0)
/** Whether the key of an entry sorts before this one, without reading the key. */
export const entryIsBefore = (entry: Buffer, key: Buffer): boolean =>
  entry.compare(key, 0, key.length, entryHeader, entryHeader + entry.readUInt16BE(2)) < 0
export const previousStartOf = (entry: Buffer): number => entryHeader + entry.readUInt16BE(2)
export const previousLengthOf = (entry: Buffer): number => entry.readUInt32BE(12)
export function previousOf(entry: Buffer): Buffer | undefined {
  const length = previousLengthOf(entry)
  const start = previousStartOf(entry)
  return length === 0 ? undefined : entry.subarray(start, start + length)
}
function lastOf(entry: Buffer): Buffer | undefined {
  const length = entry.readUInt32BE(16)
  const start = previousStartOf(entry) + previousLengthOf(entry)
  return length === 0 ? undefined : entry.subarray(start, start + length)
}
export const decodeEntry = (entry: Buffer): LogEntry => ({
  type: entryTypeOf(entry),
  time: entryTimeOf(entry),
  key: entryKeyOf(entry),
  previous: previousOf(entry),
  last: lastOf(entry),
})

/** Longest key of an object: LMDB takes 1978 bytes, of which past keys need 9. */
export const maxKeyBytes = 1900
/** No such key can be stored. A UTF-16 unit is at most three bytes, so that usual keys need no exact count. */
export const isTooLong = (key: string): boolean => key.length * 3 > maxKeyBytes && Buffer.byteLength(key) > maxKeyBytes

/** Where the revision starts in a past key that ends at `end`. */
export const pastRevisionStart = (end: number): number => end - revisionLength
export function pastKey(key: string | Buffer, revision: Revision): Buffer {
  const name = typeof key === 'string' ? Buffer.from(key) : key
  const bytes = Buffer.allocUnsafe(name.length + 1 + revisionLength)
  bytes.set(name, 0)
  bytes[name.length] = 0
  writeRevision(bytes, revision, name.length + 1)
  return bytes
}
/** Sorts after every past key of this key and before every key that follows it. */
export const afterPastOf = (key: Buffer): Buffer => Buffer.concat([key, Buffer.of(1)])

/** The end, exclusive, of all keys that start with a prefix; undefined means no end. UTF-8 has no FF, so one step is enough. */
export function prefixEnd(prefix: Buffer): Buffer | undefined {
  if (prefix.length === 0) return undefined
  const end = Buffer.from(prefix)
  end[end.length - 1]! += 1
  return end
}
