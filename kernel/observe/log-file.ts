import { createWriteStream, fstatSync, mkdirSync, openSync, statSync, type WriteStream, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock, Logger } from 'orch/sdk'
import type { SharedWork } from 'orch/sdk/proposed'
import { Losses } from './losses.js'
import { endsInLine, inodeOf, type Rotation, removeOldBackups, rotateFile } from './rotate-file.js'

export interface LogFileParts {
  /** `-` is standard output. */
  readonly path: string
  /** The name of the file in messages, such as `the audit log`. */
  readonly what: string
  readonly rotation: Rotation
  readonly clock: Clock
  readonly logger: Logger
  /** Several processes may write to one file; one of them rotates it. */
  readonly sharedWork: SharedWork
  /** Called with the number of lost lines. */
  readonly onLoss?: (lines: number) => void
}

const mebibyte = 1024 * 1024
/** The delay before the next attempt to write or rotate a file after a failure. */
const retryMs = 1000
const retryRotationMs = 30_000
/** How often rotated files are checked for their age, as long as lines are written. */
const cleanupIntervalMs = 3_600_000
/** With a slow disk lines are buffered up to this size, then dropped. */
const maxUnwrittenBytes = 64 * mebibyte
/** How long lines are buffered to be written together. They are lost if the process is killed. */
const bufferMs = 5
/** How often the file is checked for changes by other processes or log rotation tools. */
const checkEveryBytes = 64 * 1024
const checkIntervalMs = 1000

/** A file that lines are appended to. If it cannot be written, as on a full disk, lines are lost but the server continues. */
export class LogFile {
  readonly #parts: LogFileParts
  readonly #losses: Losses
  readonly #requestRotation: (inode: number) => Promise<void>
  #stream: WriteStream | undefined
  #fd: number | undefined
  #inode = 0
  /** The known size; other processes may write to the file, too. */
  #size = 0
  #bytesSinceCheck = 0
  #checkAt = 0
  #retryAt = 0
  #rotateAt = 0
  #cleanupAt = 0
  /** Lines that are written together: a separate write for each would double the cost of a line. */
  #buffered = ''
  #bufferedLines = 0
  #timer: NodeJS.Timeout | undefined
  /** Does the file end in a truncated line, after a full disk or a power failure? */
  #endsInTruncatedLine = false
  /** Old files that still have pending writes. */
  #ended: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** Throws if the file cannot be opened: at the start that is a mistake in the options. */
  constructor(parts: LogFileParts) {
    this.#parts = parts
    this.#losses = new Losses(parts.what, parts.logger, parts.onLoss)
    this.#requestRotation = parts.sharedWork.declare(`rotate ${parts.what}`, inode => this.#rotate(inode))
    if (parts.path !== '-') this.#stream = this.#openFirst()
    process.on('uncaughtExceptionMonitor', this.#flushAtOnce)
    this.#cleanUp()
  }

  write(line: string): void {
    // Nothing is reported after the server has stopped.
    if (this.#isClosed) return
    if (this.#parts.path === '-') return void process.stdout.write(line)
    this.#stream ??= this.#openAgain()
    if (!this.#stream) return this.#losses.add(1, 'it could not be opened')
    const bytes = Buffer.byteLength(line)
    if (this.#stream.writableLength > maxUnwrittenBytes) return this.#losses.add(1, 'the disk is too slow')
    const now = performance.now()
    if (this.#isFull(bytes, now) || this.#bytesSinceCheck > checkEveryBytes || now > this.#checkAt) {
      this.#flush()
      this.#check(bytes, now)
    }
    this.#size += bytes
    this.#bytesSinceCheck += bytes
    if (!this.#stream) return this.#losses.add(1, 'it could not be opened')
    this.#buffered += line
    this.#bufferedLines++
    if (this.#buffered.length > checkEveryBytes) this.#flush()
    else this.#timer ??= setTimeout(this.#flush, bufferMs)
  }

  readonly #flush = (): void => {
    const [text, lines] = this.#takeBuffered()
    if (lines === 0) return
    if (this.#stream) this.#stream.write(text, error => this.#written(lines, error))
    else this.#losses.add(lines, 'it could not be opened')
  }
  /** The process ends after an uncaught error, whose cause is likely to be in these lines. */
  readonly #flushAtOnce = (): void => {
    const [text, lines] = this.#takeBuffered()
    try {
      if (lines > 0 && this.#fd !== undefined) writeSync(this.#fd, text)
    } catch {
      // The uncaught error is reported, not this one.
    }
  }
  #takeBuffered(): [text: string, lines: number] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const taken: [string, number] = [
      this.#endsInTruncatedLine ? `\n${this.#buffered}` : this.#buffered,
      this.#bufferedLines,
    ]
    if (this.#bufferedLines > 0) this.#endsInTruncatedLine = false
    this.#buffered = ''
    this.#bufferedLines = 0
    return taken
  }

  async close(): Promise<void> {
    this.#isClosed = true
    process.off('uncaughtExceptionMonitor', this.#flushAtOnce)
    this.#flush()
    await Promise.all([this.#ended, endOf(this.#stream)])
    this.#losses.end()
  }

  #openFirst(): WriteStream {
    try {
      return this.#open()
    } catch (error) {
      throw new Error(`${this.#parts.what} cannot be opened: ${(error as Error).message}`, { cause: error })
    }
  }
  #open(): WriteStream {
    const { path } = this.#parts
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const fd = openSync(path, 'a', 0o600)
    const { ino, size } = fstatSync(fd)
    this.#fd = fd
    this.#inode = ino
    this.#size = size
    this.#endsInTruncatedLine = !endsInLine(path)
    this.#scheduleCheck()
    const stream = createWriteStream(path, { fd })
    stream.on('error', () => {
      if (this.#stream === stream) this.#stream = this.#fd = undefined
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
  /** Called when lines are written. After an overload the disk has to catch up before it counts as recovered. */
  #written(lines: number, error: Error | null | undefined): void {
    if (error) this.#losses.add(lines, error.message)
    else if ((this.#stream?.writableLength ?? 0) < maxUnwrittenBytes / 2) this.#losses.over()
  }

  #isFull(moreBytes: number, now: number): boolean {
    const maxBytes = this.#parts.rotation.maxMegabytes * mebibyte
    return maxBytes > 0 && this.#size > 0 && this.#size + moreBytes > maxBytes && now > this.#rotateAt
  }

  /** Checks the size of the file, and whether it is still the one at this path, before bytes are added. */
  #check(moreBytes: number, now: number): void {
    this.#scheduleCheck()
    const { path, logger, what } = this.#parts
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.ino !== this.#inode) return this.#reopenIfReplaced()
    if (!found.isFile()) return
    if (now > this.#cleanupAt) this.#cleanUp()
    this.#size = found.size + (this.#stream?.writableLength ?? 0)
    if (!this.#isFull(moreBytes, now)) return
    this.#rotateAt = Number.POSITIVE_INFINITY
    this.#requestRotation(this.#inode).then(
      () => {
        this.#rotateAt = 0
        this.#reopenIfReplaced()
      },
      error => {
        this.#rotateAt = performance.now() + retryRotationMs
        logger.error(`${what} cannot be rotated; it keeps growing`, { error })
      },
    )
    // If this process rotated it, the next line goes to the new file.
    this.#reopenIfReplaced()
  }
  #scheduleCheck(): void {
    this.#bytesSinceCheck = 0
    this.#checkAt = performance.now() + checkIntervalMs
  }
  /** Switches to the file at this path if it was replaced. Pending writes go to the old one. */
  #reopenIfReplaced(): void {
    if (this.#isClosed || inodeOf(this.#parts.path) === this.#inode) return
    this.#ended = Promise.all([this.#ended, endOf(this.#stream)])
    this.#stream = this.#fd = undefined
    this.#stream = this.#openAgain()
    this.#rotateAt = 0
  }

  #rotate(inode: number): void {
    rotateFile(this.#parts.path, inode, this.#parts.clock.now())
    this.#cleanUp()
  }
  #cleanUp(): void {
    const { path, rotation, clock, logger, what } = this.#parts
    this.#cleanupAt = performance.now() + cleanupIntervalMs
    if (path === '-') return
    removeOldBackups(path, rotation, clock.now()).catch(error =>
      logger.warn(`old files of ${what} cannot be removed`, { error }),
    )
  }
}

/** Resolves when all is written, or cannot be. */
const endOf = (stream: WriteStream | undefined): Promise<void> =>
  new Promise(resolve => (stream ? stream.end(() => resolve()) : resolve()))
