import type { Readable, Writable } from 'node:stream'
import { ApiError } from 'orch/sdk'
import type { Session } from '../session/session.js'
import { type ChannelSocket, openChannels } from './channel-socket.js'

/** The channels of exec and attach. */
const channels = { input: 0, output: 1, error: 2, status: 3, resize: 4, close: 255 }
const versions = ['v5', 'v4']

/** The ends of a stream in this process. */
export interface Ends {
  readonly input?: Readable
  readonly output?: Writable
  readonly error?: Writable
  /** Bytes that end the connection when they are typed. */
  readonly detach?: Buffer
  /** The local terminal, if the container has one: keys are sent unprocessed, and its size is forwarded. */
  readonly terminal?: {
    setRawMode?(isRaw: boolean): unknown
    readonly size: () => { readonly columns: number; readonly rows: number } | undefined
    onResize(listener: () => void): () => void
  }
}

interface Status {
  readonly status?: string
  readonly code?: number
  readonly reason?: string
  readonly message?: string
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] }
}

/** Connects streams with those of a container until its process ends. Returns the exit code of the process. */
export async function runInContainer(session: Session, path: string, ends: Ends, signal: AbortSignal): Promise<number> {
  let status: Status | undefined
  const socket = await openChannels(session, path, versions, (channel, data) => {
    if (channel === channels.output) ends.output?.write(data)
    else if (channel === channels.error) (ends.error ?? ends.output)?.write(data)
    else if (channel === channels.status) status = JSON.parse(data.toString('utf8')) as Status
  })
  const stop = () => socket.close()
  signal.addEventListener('abort', stop, { once: true })
  const restore = followTerminal(socket, ends)
  // Not awaited: the process may end before its input does.
  if (ends.input) void sendInput(socket, ends.input, ends.detach)
  try {
    await socket.ended
  } finally {
    restore()
    signal.removeEventListener('abort', stop)
    ends.input?.destroy()
  }
  return exitCodeOf(status)
}

async function sendInput(socket: ChannelSocket, input: Readable, detach: Buffer = Buffer.alloc(0)): Promise<void> {
  let typed: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of input) {
      if (detach.length > 0) {
        typed = Buffer.concat([typed, chunk as Buffer]).subarray(-detach.length)
        if (typed.equals(detach)) return socket.close()
      }
      await socket.send(channels.input, chunk as Buffer)
    }
    // Only version 5 can signal the end of input; older servers ignore this channel.
    await socket.send(channels.close, Buffer.from([channels.input]))
  } catch {
    // The connection has ended, which `socket.ended` reports.
  }
}

function followTerminal(socket: ChannelSocket, { terminal }: Ends): () => void {
  if (!terminal) return () => {}
  const sendSize = () => {
    const size = terminal.size()
    if (size) void socket.send(channels.resize, Buffer.from(JSON.stringify({ Width: size.columns, Height: size.rows })))
  }
  sendSize()
  terminal.setRawMode?.(true)
  const ignore = terminal.onResize(sendSize)
  return () => {
    ignore()
    terminal.setRawMode?.(false)
  }
}

function exitCodeOf(status: Status | undefined): number {
  if (status === undefined || status.status === 'Success') return 0
  const { reason = '', message = '', code = 500, details } = status
  const exit = details?.causes?.find(cause => cause.reason === 'ExitCode')?.message
  if (reason === 'NonZeroExitCode' && exit !== undefined) return Number(exit)
  throw new ApiError(code, reason, message)
}
