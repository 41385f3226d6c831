import { createWriteStream, fstatSync, openSync, statSync, type WriteStream } from 'node:fs'
import type { Clock, Logger, SharedWork } from 'orch/sdk'
import { Losses } from './losses.js'
import { inodeOf, putAside, type Rotation, removeOldBackups } from './rotate-file.js'

export interface LogFileParts {
  /** `-` is standard output. */
  readonly path: string
  /** What the lines are, such as `the audit log`. */
  readonly what: string
  readonly rotation: Rotation
  readonly clock: Clock
  readonly logger: Logger
  /** Several processes may write one file; one of them puts it aside. */
  readonly sharedWork: SharedWork
  /** Told how many lines were lost. */
  readonly onLoss?: (lines: number) => void
}

const mebibyte = 1024 * 1024
/** How long a file that could not be written, or not be put aside, is left alone. */
const retryMs = 1000
const retryAsideMs = 30_000
/** A disk that is slower than the lines come costs memory up to here, then lines. */
const maxUnwrittenBytes = 64 * mebibyte
/** How often a look at the file tells what others did to it: other processes, or a program that moves logs away. */
const lookEveryBytes = 64 * 1024
const lookEveryMs = 1000

/** A file that lines are appended to. One that cannot be written, as on a full disk, costs lines but never the server. */
export class LogFile {
  readonly #parts: LogFileParts
  readonly #losses: Losses
  readonly #askToPutAside: (inode: number) => Promise<void>
  #stream: WriteStream | undefined
  #inode = 0
  /** As far as is known here: others may write to it as well. */
  #size = 0
  #sinceLook = 0
  #lookAt = 0
  #retryAt = 0
  #askAt = 0
  #isGathering = false
  /** Files that are not written to any more, but not yet all that was. */
  #ended: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** Throws when the file cannot be opened: at the start that is a mistake in the options. */
  constructor(parts: LogFileParts) {
    this.#parts = parts
    this.#losses = new Losses(parts.what, parts.logger, parts.onLoss)
    this.#askToPutAside = parts.sharedWork.declare(`put aside ${parts.what}`, inode => this.#putAside(inode))
    if (parts.path !== '-') this.#stream = this.#open()
    this.#tidy()
  }

  write(line: string): void {
    // What ends after the server has nobody left to be told.
    if (this.#isClosed) return
    if (this.#parts.path === '-') return void process.stdout.write(line)
    this.#stream ??= this.#openAgain()
    if (!this.#stream) return this.#losses.add(1, 'it could not be opened')
    const bytes = Buffer.byteLength(line)
    if (this.#stream.writableLength > maxUnwrittenBytes) return this.#losses.add(1, 'the disk is too slow')
    const now = performance.now()
    if (this.#isFull(bytes, now) || this.#sinceLook > lookEveryBytes || now > this.#lookAt) this.#look(bytes, now)
    this.#size += bytes
    this.#sinceLook += bytes
    if (!this.#stream) return this.#losses.add(1, 'it could not be opened')
    this.#gather(this.#stream)
    this.#stream.write(line, this.#written)
  }

  /** The lines of a turn of the event loop go to the disk together: each way there costs as much as making a line. */
  #gather(stream: WriteStream): void {
    if (this.#isGathering) return
    this.#isGathering = true
    stream.cork()
    setImmediate(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#ended, endOf(this.#stream)])
  }

  #open(): WriteStream {
    const { path } = this.#parts
    const fd = openSync(path, 'a', 0o600)
    const { ino, size } = fstatSync(fd)
    this.#inode = ino
    this.#size = size
    this.#looked()
    const stream = createWriteStream(path, { fd })
    stream.on('error', () => {
      if (this.#stream === stream) this.#stream = undefined
      this.#retryAt = performance.now() + retryMs
    })
    return stream
  }
  #openAgain(): WriteStream | undefined {
    if (performance.now() < this.#retryAt) return undefined
    try {
      return this.#open()
    } catch (error) {
      this.#retryAt = performance.now() + retryMs
      this.#losses.add(0, (error as Error).message)
      return undefined
    }
  }
  /** Told of every line. A disk that was too slow has to catch up before it counts as well. */
  readonly #written = (error?: Error | null): void => {
    if (error) this.#losses.add(1, error.message)
    else if ((this.#stream?.writableLength ?? 0) < maxUnwrittenBytes / 2) this.#losses.over()
  }

  #isFull(moreBytes: number, now: number): boolean {
    const maxBytes = this.#parts.rotation.maxMegabytes * mebibyte
    return maxBytes > 0 && this.#size > 0 && this.#size + moreBytes > maxBytes && now > this.#askAt
  }

  /** Learns how large the file is and whether it is still the one of this name, before so many bytes are added. */
  #look(moreBytes: number, now: number): void {
    this.#looked()
    const { path, logger, what } = this.#parts
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.ino !== this.#inode) return this.#goOn()
    if (!found.isFile()) return
    this.#size = found.size + (this.#stream?.writableLength ?? 0)
    if (!this.#isFull(moreBytes, now)) return
    this.#askAt = Number.POSITIVE_INFINITY
    this.#askToPutAside(this.#inode).then(
      () => {
        this.#askAt = 0
        this.#goOn()
      },
      error => {
        this.#askAt = performance.now() + retryAsideMs
        logger.error(`${what} cannot be put aside; it goes on growing`, { error })
      },
    )
    // Where this process did it, the very next line is in the new file.
    this.#goOn()
  }
  #looked(): void {
    this.#sinceLook = 0
    this.#lookAt = performance.now() + lookEveryMs
  }
  /** Goes on in the file of this name, if that is another one now. What is not written yet goes to the old one. */
  #goOn(): void {
    if (this.#isClosed || inodeOf(this.#parts.path) === this.#inode) return
    this.#ended = Promise.all([this.#ended, endOf(this.#stream)])
    this.#stream = undefined
    this.#stream = this.#openAgain()
    this.#askAt = 0
  }

  #putAside(inode: number): void {
    putAside(this.#parts.path, inode, this.#parts.clock.now())
    this.#tidy()
  }
  #tidy(): void {
    const { path, rotation, clock, logger, what } = this.#parts
    if (path === '-') return
    removeOldBackups(path, rotation, clock.now()).catch(error =>
      logger.warn(`old files of ${what} cannot be removed`, { error }),
    )
  }
}

/** Resolves when all is written, or cannot be. */
const endOf = (stream: WriteStream | undefined): Promise<void> =>
  new Promise(resolve => (stream ? stream.end(() => resolve()) : resolve()))
