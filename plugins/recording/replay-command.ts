import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { CommandContext, CommandDefinition } from 'orch/sdk'

const text = { type: 'string' } as const
const options = {
  object: text,
  namespace: { ...text, short: 'n' },
  user: text,
  since: text,
  until: text,
  all: { type: 'boolean' },
  output: { ...text, short: 'o' },
} as const

/** `orch replay FILE`: a recording as a timeline of each object. */
export const replayCommand: CommandDefinition = {
  name: 'replay',
  usage:
    'replay FILE [--object KIND[.GROUP][/NAME]] [-n NAMESPACE] [--user NAME] [--since TIME] [--until TIME] [--all] [-o json]',
  summary: 'Show a recording of orch serve --record: the changes of each object and the requests that caused them.',
  async run(argv, context) {
    const { RecordingError, readRecording } = await import('./read-recording.js')
    const { select, SelectionError } = await import('./select-entries.js')
    try {
      const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
      const { output = 'text', ...selection } = values
      const [file, ...more] = positionals
      if (file === undefined || more.length > 0)
        return refuse(context, 'replay needs one file that orch serve --record wrote')
      if (output !== 'text' && output !== 'json') return refuse(context, `-o ${output} is neither text nor json`)
      const recording = readRecording(resolve(context.workingDir, file))
      const { timelinesOf } = await import('./timeline.js')
      const selected = select(recording, timelinesOf(recording), selection)
      const { vendor, startedAt, endedAt, isCut } = recording
      if (output === 'json')
        context.out(`${JSON.stringify({ vendor, startedAt, endedAt, isCut, ...selected }, undefined, 2)}\n`)
      else context.out((await import('./show-timelines.js')).showTimelines(recording, selected))
      return 0
    } catch (failure) {
      if (failure instanceof RecordingError || failure instanceof SelectionError || isExpected(failure))
        return refuse(context, (failure as Error).message)
      throw failure
    }
  },
}

/** Flags that do not exist, and files that cannot be read. */
const isExpected = (failure: unknown): boolean =>
  /^(ERR_PARSE_ARGS|E[A-Z]+$)/.test(String((failure as { code?: unknown }).code))

function refuse({ err }: CommandContext, why: string): number {
  err(`orch: ${why}. See orch help replay.\n`)
  return 2
}
