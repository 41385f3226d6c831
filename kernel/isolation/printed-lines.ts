import type { Readable } from 'node:stream'
import { Budget } from './budget.js'

const maxBytesPerSecond = 1024 * 1024
const maxLinesPerSecond = 200
const maxLineLength = 2_000
const maxErrorLength = 300

/** What the process of a plugin prints: its lines are of interest, a flood of them is not. */
export class PrintedLines {
  readonly #bytes = new Budget(maxBytesPerSecond, 1000)
  readonly #lines = new Budget(maxLinesPerSecond, 1000)
  /** The error that it printed, for the message about its exit. */
  lastError = ''

  follow(output: Readable | null, onLine: (line: string) => void): void {
    let rest = ''
    output?.on('data', (chunk: Buffer) => {
      // Reading is work of the server: a process that prints without end waits.
      if (this.#bytes.take(chunk.length) !== 'within') {
        output.pause()
        setTimeout(() => output.resume(), this.#bytes.leftMs).unref()
      }
      const lines = (rest + chunk.toString('utf8')).split('\n')
      rest = (lines.pop() ?? '').slice(-maxLineLength)
      for (const line of lines) {
        if (/^(\w*Error|FATAL ERROR)\b/.test(line)) this.lastError = ` (${line.slice(0, maxErrorLength)})`
        if (line.trim() !== '' && this.#lines.take() === 'within') onLine(line.slice(0, maxLineLength))
      }
    })
    output?.on('error', () => {})
  }
}
