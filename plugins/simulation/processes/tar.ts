import type { Readable } from 'node:stream'

const blockBytes = 512
const textOf = (block: Buffer, from: number, length: number): string => {
  const field = block.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? length : end)
}
const sumOf = (block: Buffer): number => {
  let sum = 0
  // The checksum field itself counts as blanks.
  for (let i = 0; i < blockBytes; i++) sum += i >= 148 && i < 156 ? 0x20 : (block[i] ?? 0)
  return sum
}

export interface ArchiveEntry {
  readonly path: string
  /** Links and devices are not supported. */
  readonly type: 'file' | 'folder' | 'other'
  readonly content: Buffer
}

/** Reads an archive. Only one entry is held at a time; one with more than `maxBytes` is an error. */
export async function* readArchive(source: Readable, maxBytes: number): AsyncGenerator<ArchiveEntry> {
  const bytes = new ByteReader(source)
  let longPath: string | undefined
  for (;;) {
    const head = await bytes.read(blockBytes)
    if (head.length === 0 || head.every(byte => byte === 0)) return
    if (head.length < blockBytes || Number.parseInt(textOf(head, 148, 8), 8) !== sumOf(head))
      throw new Error('This does not look like a tar archive')
    const size = sizeOf(head)
    if (!(size >= 0 && size <= maxBytes)) throw new Error('Cannot write: No space left on device')
    const content = (await bytes.read(Math.ceil(size / blockBytes) * blockBytes)).subarray(0, size)
    if (content.length < size) throw new Error('Unexpected EOF in archive')
    const type = String.fromCharCode(head[156] || 0x30)
    const prefix = head.toString('latin1', 257, 262) === 'ustar' ? textOf(head, 345, 155) : ''
    const path: string = longPath ?? (prefix ? `${prefix}/${textOf(head, 0, 100)}` : textOf(head, 0, 100))
    longPath = undefined
    if (type === 'L') longPath = textOf(content, 0, size)
    else if (type === 'x') longPath = pathRecord(content.toString('utf8'))
    else if (type !== 'g')
      yield { path, type: type === '5' ? 'folder' : type === '0' || type === '7' ? 'file' : 'other', content }
  }
}

/** The records of an extended header are lines: a length, a key and a value. */
function pathRecord(records: string): string | undefined {
  for (const line of records.split('\n')) {
    const path = /^\d{1,10} path=(.*)$/.exec(line)?.[1]
    if (path !== undefined) return path
  }
  return undefined
}

function sizeOf(head: Buffer): number {
  // Large sizes are binary, with the first bit set.
  if ((head[124] ?? 0) & 0x80) return Number(head.readBigUInt64BE(128))
  return Number.parseInt(textOf(head, 124, 12).trim() || '0', 8)
}

/** Reads a stream in pieces of a given size. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #pending: Buffer[] = []
  #bytes = 0
  constructor(source: Readable) {
    this.#source = source[Symbol.asyncIterator]()
  }
  /** Returns fewer bytes only at the end of the stream. */
  async read(size: number): Promise<Buffer> {
    while (this.#bytes < size) {
      const { value, done } = await this.#source.next()
      if (done) break
      const chunk = Buffer.from(value)
      this.#pending.push(chunk)
      this.#bytes += chunk.length
    }
    const all = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending)
    const taken = all.subarray(0, size)
    this.#pending = [all.subarray(taken.length)]
    this.#bytes = all.length - taken.length
    return taken
  }
}

/** The blocks of one file (`content`) or folder (without). */
export function archiveEntry(path: string, content: Buffer | undefined): Buffer[] {
  const name = Buffer.from(content ? path : `${path}/`)
  if (name.length <= 100) return [header(name, content ? '0' : '5', content?.length ?? 0), ...padded(content)]
  // A longer name is stored in a separate entry before it, as GNU tar does.
  const long = Buffer.concat([name, Buffer.alloc(1)])
  const link = [header(Buffer.from('././@LongLink'), 'L', long.length), ...padded(long)]
  return [...link, header(name.subarray(0, 100), content ? '0' : '5', content?.length ?? 0), ...padded(content)]
}
export const archiveEnd = (): Buffer => Buffer.alloc(2 * blockBytes)

function padded(content: Buffer | undefined): Buffer[] {
  if (!content || content.length === 0) return []
  const rest = content.length % blockBytes
  return rest === 0 ? [content] : [content, Buffer.alloc(blockBytes - rest)]
}

function header(name: Buffer, type: string, size: number): Buffer {
  const head = Buffer.alloc(blockBytes)
  name.copy(head)
  const octal = (value: number, at: number, length: number) =>
    head.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  octal(type === '5' ? 0o755 : 0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  head.write(type, 156, 'latin1')
  head.write('ustar\x0000', 257, 'latin1')
  head.write(`${sumOf(head).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return head
}
