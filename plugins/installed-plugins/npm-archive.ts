import { gunzipSync } from 'node:zlib'
import { PackageProblem } from './package-problem.js'

export interface ArchiveLimits {
  readonly maxBytes: number
  readonly maxFiles: number
}

const block = 512
/** Entry types in the header. */
const fileTypes = ['0', '\0']
const folderType = '5'
const longNameType = 'L'
const paxType = 'x'
/** Applies to the whole archive, such as the commit it was made from. */
const globalPaxType = 'g'

interface Entry {
  readonly type: string
  readonly path: string
  readonly contents: Buffer
}

/**
 * The files of an archive made by `npm pack`, by their paths below its top folder. Everything is checked before
 * anything is written, because the archive is untrusted. A package has files and folders, and nothing else.
 */
export function filesInArchive(packed: Buffer, { maxBytes, maxFiles }: ArchiveLimits): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>()
  let entries = 0
  for (const { type, path, contents } of entriesOf(unpacked(packed, maxBytes))) {
    if (++entries > maxFiles) throw new PackageProblem(`spec.package: it has more than ${maxFiles} files`)
    const inside = pathInside(path)
    if (type === folderType) continue
    if (!fileTypes.includes(type))
      throw new PackageProblem(`spec.package: "${path}" in the archive is neither a file nor a folder`)
    if (inside === '') throw new PackageProblem(`spec.package: "${path}" in the archive is not in a folder`)
    if (files.has(inside)) throw new PackageProblem(`spec.package: "${path}" is in the archive twice`)
    files.set(inside, contents)
  }
  if (files.size === 0) throw new PackageProblem('spec.package: the archive has no files')
  return files
}

function unpacked(packed: Buffer, maxBytes: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: maxBytes })
  } catch (cause) {
    const isTooLarge = cause instanceof RangeError
    const why = isTooLarge ? `it has more than ${maxBytes} bytes` : 'it is not a complete gzip archive'
    throw new PackageProblem(`spec.package: ${why}`, { cause })
  }
}

function* entriesOf(archive: Buffer): Generator<Entry> {
  let longPath: string | undefined
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block)
    if (header.every(byte => byte === 0)) return
    const size = numberIn(header, 124, 12)
    const end = at + block + size
    if (numberIn(header, 148, 8) !== checksumOf(header) || end > archive.length)
      throw new PackageProblem('spec.package: the archive is damaged')
    const type = header.toString('latin1', 156, 157)
    const contents = archive.subarray(at + block, end)
    at += block + Math.ceil(size / block) * block
    if (type === longNameType) longPath = textIn(contents, 0, size)
    else if (type === paxType) longPath = paxPath(contents) ?? longPath
    else if (type !== globalPaxType) {
      yield { type, path: longPath ?? shortPath(header), contents }
      longPath = undefined
    }
  }
}

function shortPath(header: Buffer): string {
  const isUstar = header.toString('latin1', 257, 262) === 'ustar'
  const prefix = isUstar ? textIn(header, 345, 155) : ''
  const name = textIn(header, 0, 100)
  return prefix === '' ? name : `${prefix}/${name}`
}

/**
 * The path in the records of an extended header, which are `LENGTH KEY=VALUE\n`. npm never packs files whose size needs
 * such a record.
 */
function paxPath(records: Buffer): string | undefined {
  let path: string | undefined
  for (let at = 0; at < records.length; ) {
    const space = records.indexOf(0x20, at)
    const length = space < 0 ? Number.NaN : Number(records.toString('latin1', at, space))
    if (!(length > space - at + 1) || at + length > records.length)
      throw new PackageProblem('spec.package: the archive is damaged')
    const record = records.toString('utf8', space + 1, at + length - 1)
    if (record.startsWith('size=')) throw new PackageProblem('spec.package: the archive has a file that is too large')
    if (record.startsWith('path=')) path = record.slice('path='.length)
    at += length
  }
  return path
}

/** The path below the top folder of a package; it may not leave that folder. */
function pathInside(path: string): string {
  const parts = path.replace(/\/$/, '').split('/')
  const isSafe = parts.every(part => part !== '' && part !== '.' && part !== '..') && !/[\\\0:]/.test(path)
  if (!isSafe) throw new PackageProblem(`spec.package: "${path}" in the archive is not a path inside a package`)
  return parts.slice(1).join('/')
}

function textIn(bytes: Buffer, start: number, length: number): string {
  const zero = bytes.indexOf(0, start)
  const end = zero < 0 || zero > start + length ? start + length : zero
  return bytes.toString('utf8', start, end)
}

function numberIn(header: Buffer, start: number, length: number): number {
  const text = header
    .toString('latin1', start, start + length)
    .replaceAll('\0', ' ')
    .trim()
  if (!/^[0-7]{1,12}$/.test(text)) throw new PackageProblem('spec.package: the archive is damaged')
  return Number.parseInt(text, 8)
}

/** The sum of the bytes of a header, with the checksum field counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte
  return sum
}
