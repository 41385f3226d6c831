import { createHash } from 'node:crypto'
import { damaged, decodeHeader, decodeLine, type ExportHeader, type ExportRecord } from './export-format.js'

/** Longer than any object that a store accepts. */
const maxLineBytes = 64 * 2 ** 20
const newline = 0x0a

export interface ExportReading {
  readonly header: ExportHeader
  /** Throws at the end if the trailer is missing or does not match. */
  readonly records: AsyncIterable<ExportRecord>
}

export async function readExport(stream: AsyncIterable<Buffer>): Promise<ExportReading> {
  const hash = createHash('sha256')
  const lines = linesOf(stream)
  const first = await lines.next()
  if (first.done) throw damaged('it is empty')
  hash.update(first.value).update('\n')
  const header = decodeHeader(first.value)
  async function* records(): AsyncGenerator<ExportRecord, void> {
    let count = 0
    for await (const line of lines) {
      const record = decodeLine(line)
      if ('sha256' in record) {
        if (record.count !== count || header.count !== count)
          throw damaged(`it has ${count} of ${record.count} objects`)
        if (record.sha256 !== hash.digest('hex')) throw damaged('its checksum is wrong')
        return
      }
      hash.update(line).update('\n')
      count++
      yield record
    }
    throw damaged('its end is missing')
  }
  return { header, records: records() }
}

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = []
  let length = 0
  for await (const piece of stream) {
    let start = 0
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
      yield Buffer.concat([...parts, piece.subarray(start, end)])
      parts = []
      length = 0
      start = end + 1
    }
    if (start === piece.length) continue
    parts.push(piece.subarray(start))
    length += piece.length - start
    if (length > maxLineBytes) throw damaged('a line is too long')
  }
  if (length > 0) yield Buffer.concat(parts)
}
