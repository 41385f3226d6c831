/**
 * The stream of `orch storage export`. It is stable: later versions read it. See README.md here.
 *
 *   {"format":"store-export","version":1,"revision":1207,"count":2}
 *   {"key":"/configmaps/default/a","modRevision":12,"attributes":"AGxhcHA...","body":{"metadata":{"name":"a",...},...}}
 *   {"key":"/configmaps/default/b","modRevision":1207,"attributes":"","body":{"metadata":{"name":"b",...},...}}
 *   {"end":true,"count":2,"sha256":"..."}
 *
 * Bodies are the stored bytes, without resourceVersion and not parsed on the way, so that nothing in them changes.
 */
import { bodyPrefix, type Revision, StorageError } from 'orch/sdk/host'

const formatName = 'store-export'
const formatVersion = 1

export interface ExportHeader {
  /** The revision of the snapshot. */
  readonly revision: Revision
  readonly count: number
}
export interface ExportRecord {
  readonly key: string
  readonly modRevision: Revision
  readonly attributes: Buffer
  /** Without resourceVersion, as `Store.write` expects it. */
  readonly body: Buffer
}
export interface ExportTrailer {
  readonly count: number
  /** Of every byte before the line of the trailer. */
  readonly sha256: string
}

const bodyMark = Buffer.from(',"body":')
const newline = 0x0a
const space = 0x20

export const damaged = (why: string): StorageError => new StorageError('corrupt', `the export is damaged: ${why}`)

export const encodeHeader = ({ revision, count }: ExportHeader): string =>
  `${JSON.stringify({ format: formatName, version: formatVersion, revision, count })}\n`
export const encodeTrailer = ({ count, sha256 }: ExportTrailer): string =>
  `${JSON.stringify({ end: true, count, sha256 })}\n`

export function encodeRecord({ key, modRevision, attributes, body }: ExportRecord): Buffer {
  const start = JSON.stringify({ key, modRevision, attributes: attributes.toString('base64') }).slice(0, -1)
  const line = Buffer.concat([Buffer.from(start), bodyMark, body, Buffer.from('}\n')])
  // A line break in JSON is white space between tokens: strings cannot contain one.
  for (let at = line.indexOf(newline); at < line.length - 1; at = line.indexOf(newline, at)) line[at] = space
  return line
}

export function decodeHeader(line: Buffer): ExportHeader {
  const { format, version, revision, count } = parse(line)
  if (format !== formatName) throw new StorageError('corrupt', 'this is not a stream of storage export')
  if (version !== formatVersion) {
    throw new StorageError(
      'corrupt',
      `the export has format version ${String(version)}; this program reads ${formatVersion}`,
    )
  }
  return { revision: wholeNumber(revision), count: wholeNumber(count) }
}

/** A record, or the trailer. */
export function decodeLine(line: Buffer): ExportRecord | ExportTrailer {
  const at = line.indexOf(bodyMark)
  if (at < 0) {
    const { end, count, sha256 } = parse(line)
    if (end !== true || typeof sha256 !== 'string') throw damaged('a line is neither an object nor the end')
    return { count: wholeNumber(count), sha256 }
  }
  // The mark cannot be part of the key: quotes in texts are escaped.
  const { key, modRevision, attributes } = parse(Buffer.concat([line.subarray(0, at), Buffer.from('}')]))
  if (typeof key !== 'string' || key === '' || typeof attributes !== 'string') throw damaged('an object has no key')
  const body = line.subarray(at + bodyMark.length, line.length - 1)
  if (body.toString('latin1', 0, bodyPrefix.length) !== bodyPrefix) throw damaged(`${key} has no metadata`)
  return { key, modRevision: wholeNumber(modRevision), attributes: Buffer.from(attributes, 'base64'), body }
}

function parse(line: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line.toString())
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw damaged('a line is not a JSON object')
}
function wholeNumber(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw damaged('a number is missing')
  return value as number
}
