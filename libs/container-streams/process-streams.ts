import { type Duplex, PassThrough, type Readable, Writable } from 'node:stream'
import { SpdyError, SpdySession, type SpdyStream } from '../spdy/index.js'
import { Channels, webSocketOver } from './channels.js'
import type { StreamLimits } from './limits.js'
import type { Agreement, SpokenProtocols } from './negotiate.js'

/** Which streams of a process the client wants. */
export interface WantedStreams {
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
}

export interface TerminalSize {
  readonly width: number
  readonly height: number
}

/** The streams of the process. Those that the client did not request discard their data. */
export interface ProcessEnds {
  /** Ends when the client closes it or disconnects. */
  readonly input: Readable
  readonly output: Writable
  readonly error: Writable
  /** Called with each size of the client's terminal. */
  onResize(listener: (size: TerminalSize) => void): void
}

/** How a process ended. */
export interface ProcessOutcome {
  /** A Status, for protocols from version 4 on. */
  readonly status: object
  /** For older protocols: the error message, empty if there is none. */
  readonly message: string
}

/** Runs a process; `signal` is aborted when the client has disconnected. It never rejects. */
export type RunProcess = (ends: ProcessEnds, signal: AbortSignal) => Promise<ProcessOutcome>

const channelNumbers = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4 } as const
const maxSizeBytes = 1024

/** The protocol names for processes in a domain. */
export const processProtocols = (
  domain: string,
  { closesStreams }: { readonly closesStreams: boolean },
): SpokenProtocols => ({
  websocket: [
    ...(closesStreams ? [`v5.channel.${domain}`, `v5.base64.channel.${domain}`] : []),
    `v4.channel.${domain}`,
    `v4.base64.channel.${domain}`,
    `channel.${domain}`,
    `base64.channel.${domain}`,
  ],
  spdy: ['v4', 'v3', 'v2'].map(version => `${version}.channel.${domain}`).concat(`channel.${domain}`),
})

const versionOf = (protocol: string): number => Number(/^v(\d)\./.exec(protocol)?.[1] ?? 1)

/** Connects a process to the client until either ends. */
export async function serveProcess(
  connection: Duplex,
  agreement: Agreement,
  wanted: WantedStreams,
  run: RunProcess,
  limits: StreamLimits,
): Promise<void> {
  // A terminal has one output.
  const wants = wanted.tty ? { ...wanted, stderr: false } : wanted
  const version = versionOf(agreement.protocol)
  const opened =
    agreement.transport === 'spdy'
      ? overSpdy(connection, wants, version, limits)
      : overChannels(connection, agreement, wants, version, limits)
  limitIdleTime(connection, limits)
  const link = await opened
  if (!link) return
  const gone = new AbortController()
  void link.over.then(() => gone.abort())
  const outcome = await run(link.ends, gone.signal)
  const text = version >= 4 ? JSON.stringify(outcome.status) : outcome.message
  await Promise.all([finish(link.ends.output), finish(link.ends.error)])
  await new Promise<void>(resolve => {
    if (gone.signal.aborted) return resolve()
    link.status.end(text, () => resolve())
    void link.over.then(resolve)
  })
  await link.close()
}

interface Link {
  readonly ends: ProcessEnds
  readonly status: Writable
  readonly over: Promise<void>
  close(): Promise<void>
}

/** Sockets detect idle time themselves; other streams have no idle limit. */
export function limitIdleTime(connection: Duplex, { idleMs }: StreamLimits): void {
  const socket = connection as Duplex & { setTimeout?(ms: number, listener: () => void): void }
  socket.setTimeout?.(idleMs, () => connection.destroy())
}

function finish(stream: Writable): Promise<void> {
  return new Promise(resolve => {
    if (stream.destroyed) return resolve()
    stream.once('close', resolve)
    stream.once('error', () => resolve())
    stream.end(() => resolve())
  })
}

const nowhere = (): Writable => new Writable({ write: (_, __, done) => done() })
function nothing(): Readable {
  const empty = new PassThrough()
  empty.end()
  return empty
}

function sizesOf(stream: Readable): ProcessEnds['onResize'] {
  const listeners: ((size: TerminalSize) => void)[] = []
  let pending = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    pending += text
    // Objects in sequence, with or without newlines between them, and without nested objects.
    for (let end = pending.indexOf('}'); end >= 0; end = pending.indexOf('}')) {
      const size = readSize(pending.slice(0, end + 1))
      pending = pending.slice(end + 1)
      if (size) for (const listener of listeners) listener(size)
    }
    if (pending.length > maxSizeBytes) pending = ''
  })
  return listener => listeners.push(listener)
}

function readSize(text: string): TerminalSize | undefined {
  try {
    const { Width: width, Height: height } = JSON.parse(text)
    return Number.isInteger(width) && Number.isInteger(height) ? { width, height } : undefined
  } catch {
    return undefined
  }
}

async function overChannels(
  connection: Duplex,
  { protocol }: Agreement,
  wanted: WantedStreams,
  version: number,
  limits: StreamLimits,
): Promise<Link> {
  const form = { isBase64: protocol.includes('base64.'), canClose: version >= 5 }
  const channels = new Channels(webSocketOver(connection, limits), form)
  const ends: ProcessEnds = {
    input: wanted.stdin ? channels.input(channelNumbers.stdin) : nothing(),
    output: wanted.stdout ? channels.output(channelNumbers.stdout) : nowhere(),
    error: wanted.stderr ? channels.output(channelNumbers.stderr) : nowhere(),
    onResize: sizesOf(channels.input(channelNumbers.resize)),
  }
  const first = wanted.stdout ? 'stdout' : wanted.stderr ? 'stderr' : 'status'
  if (!form.canClose) channels.greet(channelNumbers[first])
  return { ends, status: channels.output(channelNumbers.status), over: channels.over, close: () => channels.close() }
}

const streamTypes = ['error', 'stdin', 'stdout', 'stderr', 'resize'] as const
type StreamType = (typeof streamTypes)[number]

/** Waits until the client has opened all streams that it asked for; undefined if it does not. */
async function overSpdy(
  connection: Duplex,
  wanted: WantedStreams,
  version: number,
  limits: StreamLimits,
): Promise<Link | undefined> {
  const expected = new Set<StreamType>(['error'])
  for (const name of ['stdin', 'stdout', 'stderr'] as const) if (wanted[name]) expected.add(name)
  if (wanted.tty && version >= 3) expected.add('resize')
  const streams = new Map<StreamType, SpdyStream>()
  let isComplete: (() => void) | undefined
  const complete = new Promise<boolean>(resolve => (isComplete = () => resolve(true)))
  const session = new SpdySession(
    connection,
    stream => {
      const type = stream.headers['streamtype'] as StreamType
      if (!expected.has(type) || streams.has(type)) throw new SpdyError(`no stream ${type} is expected`)
      streams.set(type, stream)
      if (streams.size === expected.size) isComplete?.()
    },
    limits,
  )
  const over = session.over.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => (timer = setTimeout(() => resolve(false), limits.openMs)))
  const isOpen = await Promise.race([complete, late, over.then(() => false)])
  clearTimeout(timer)
  if (!isOpen) {
    connection.destroy()
    return undefined
  }
  const resize = streams.get('resize')
  for (const type of ['error', 'stdout', 'stderr'] as const) streams.get(type)?.resume()
  const ends: ProcessEnds = {
    input: streams.get('stdin') ?? nothing(),
    output: streams.get('stdout') ?? nowhere(),
    error: streams.get('stderr') ?? nowhere(),
    onResize: resize ? sizesOf(resize) : () => {},
  }
  return {
    ends,
    status: streams.get('error')!,
    over,
    async close() {
      await session.close()
      await closed(connection, over)
    },
  }
}

/** How long the client may take to read the remaining data and to close. */
const closeMs = 2_000

/** The other side closes when it has read everything. */
export async function closed(connection: Duplex, over: Promise<void>): Promise<void> {
  const timer = setTimeout(() => connection.destroy(), closeMs)
  connection.resume()
  await over
  clearTimeout(timer)
  connection.destroy()
}
