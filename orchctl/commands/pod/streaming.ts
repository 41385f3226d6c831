import type { FlagDefinition } from '../../arguments/flags.js'
import type { Call } from '../../command.js'
import type { Pod } from '../../objects/find-pods.js'
import { subresourcePath } from '../../objects/subresource.js'
import { kindNamed } from '../../objects/targets.js'
import type { Session } from '../../session/session.js'
import { type Ends, runInContainer } from '../../streams/run-in-container.js'
import { UsageError } from '../../usage-error.js'

export const containerFlag: FlagDefinition = {
  name: 'container',
  short: 'c',
  kind: 'text',
  value: 'NAME',
  description: 'the container; the first one by default',
}
export const streamFlags: readonly FlagDefinition[] = [
  { name: 'stdin', short: 'i', kind: 'switch', description: 'pass standard input to the container' },
  { name: 'tty', short: 't', kind: 'switch', description: 'standard input is a terminal' },
  { name: 'quiet', short: 'q', kind: 'switch', description: 'print only what the container prints' },
]

/** The annotation by which a Pod names its main container. */
export async function defaultContainerKey(session: Session): Promise<string> {
  const vendor = await session.vendor()
  return vendor.qualify('default-container', vendor.profile.cli)
}

export interface Streamed {
  readonly subresource: 'exec' | 'attach'
  readonly container: string
  readonly command?: readonly string[]
  /** The streams to connect; by default those requested by the flags. */
  readonly ends?: Ends
  /** Do not report a non-zero exit code: it is an answer, not a failure. */
  readonly isQuiet?: boolean
}

/** Connects this terminal with a container. Returns the exit code of its process. */
export async function streamTo(call: Call, session: Session, pod: Pod, how: Streamed): Promise<number> {
  const { flags, terminal } = call
  const ends = how.ends ?? endsOf(call)
  const isTerminal = ends.terminal !== undefined
  const query = new URLSearchParams({ container: how.container })
  for (const word of how.command ?? []) query.append('command', word)
  if (ends.input) query.set('stdin', 'true')
  query.set('stdout', 'true')
  if (!isTerminal) query.set('stderr', 'true')
  if (isTerminal) query.set('tty', 'true')
  const kind = kindNamed('pods', await session.kinds())
  const { name = '', namespace = '' } = pod.metadata
  const path = `${subresourcePath({ kind, namespace, name }, how.subresource)}?${query}`
  const code = await runInContainer(session, path, ends, terminal.signal)
  if (code !== 0 && !how.isQuiet && !flags.is('quiet')) terminal.log(`command terminated with exit code ${code}`)
  return code
}

/** The streams requested by `-i` and `-t`. */
export function endsOf({ flags, terminal }: Call): Ends {
  const { input, output, error } = terminal.streams()
  if (flags.is('tty') && !flags.is('stdin')) throw new UsageError('-t needs -i: a terminal reads standard input')
  const wantsTerminal = flags.is('tty') && input.isTTY === true
  if (flags.is('tty') && !wantsTerminal) terminal.log('Unable to use a TTY - input is not a terminal')
  return {
    output,
    error,
    ...(flags.is('stdin') ? { input } : {}),
    ...(flags.has('detach-keys') ? { detach: keysOf(flags.text('detach-keys') ?? '') } : {}),
    ...(wantsTerminal
      ? {
          terminal: {
            setRawMode: (isRaw: boolean) => input.setRawMode?.(isRaw),
            size: () => (output.columns && output.rows ? { columns: output.columns, rows: output.rows } : undefined),
            onResize: (listener: () => void) => {
              output.on('resize', listener)
              return () => output.off('resize', listener)
            },
          },
        }
      : {}),
  }
}

/** `ctrl-p,ctrl-q` as bytes. */
function keysOf(text: string): Buffer {
  const bytes = text.split(',').map(key => {
    const letter = /^ctrl-([a-z@[\\\]^_])$/.exec(key)?.[1]
    if (letter !== undefined) return letter.toUpperCase().charCodeAt(0) & 0x1f
    if (key.length === 1) return key.charCodeAt(0)
    throw new UsageError(`--detach-keys needs keys such as ctrl-p,ctrl-q, not "${text}"`)
  })
  return Buffer.from(bytes)
}
