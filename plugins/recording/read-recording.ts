import { existsSync, readFileSync } from 'node:fs'
import { olderPart } from './record-file.js'
import type { ChangeLine, HeadLine, RecordLine, RequestLine } from './record-lines.js'

/** The contents of a file and its older part, in chronological order. */
export interface Recording {
  readonly vendor: string
  readonly startedAt: number
  readonly endedAt: number
  /** Whether the beginning was dropped because of its size. */
  readonly isCut: boolean
  readonly requests: readonly RequestLine[]
  readonly changes: readonly ChangeLine[]
}

/** Thrown for a file that is not a recording; the message is one line. */
export class RecordingError extends Error {}

export function readRecording(path: string): Recording {
  const older = olderPart(path)
  const lines = [...(existsSync(older) ? linesOf(older) : []), ...linesOf(path)]
  const heads = lines.filter((line): line is HeadLine => line.record === 'head')
  const requests = joinWatches(lines.filter((line): line is RequestLine => line.record === 'request'))
  const changes = lines.filter((line): line is ChangeLine => line.record === 'change')
  const [head] = heads
  if (!head) throw new RecordingError(`${path} is not a recording of orch serve --record`)
  const ends = [...requests.map(({ at, durationMs }) => at + durationMs), ...changes.map(({ at }) => at)]
  return {
    vendor: head.vendor,
    startedAt: head.startedAt,
    endedAt: ends.reduce((latest, each) => Math.max(latest, each), head.startedAt),
    isCut: head.part > 1,
    requests: requests.sort((one, other) => one.at - other.at),
    changes,
  }
}

function linesOf(path: string): RecordLine[] {
  const texts = readFileSync(path, 'utf8').split('\n')
  // The text after the last line break is an unfinished line: the process was killed.
  texts.pop()
  return texts.map((text, index) => {
    const line = parsed(text)
    if (typeof line !== 'object' || line === null || !('record' in line))
      throw new RecordingError(`${path} is not a recording of orch serve --record: line ${index + 1} is invalid`)
    return line as RecordLine
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A finished watch is recorded twice; the second entry is complete. */
function joinWatches(lines: readonly RequestLine[]): RequestLine[] {
  const over = new Set(lines.filter(({ stage }) => stage === 'over').map(({ id }) => id))
  return lines.filter(({ id, stage }) => stage !== 'begun' || !over.has(id))
}
