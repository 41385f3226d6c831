import { type ChildProcess, spawn } from 'node:child_process'
import { Duplex } from 'node:stream'
import type { JsonObject } from '../../libs/json/index.js'
import { Budget } from './budget.js'
import { CallLink, type Handler, LinkClosed } from './call-link.js'
import type { Violation } from './plugin-messages.js'
import { PrintedLines } from './printed-lines.js'
import { type ProcessUsage, reportedUsage, usageOf } from './process-usage.js'

export interface ProcessLimits {
  readonly callTimeoutMs: number
  readonly maxInflightCalls: number
  /** The heap limit. The whole process may use somewhat more: buffers, code, the engine itself. */
  readonly memoryMegabytes: number
  /** How long loading and registering the plugin may take. */
  readonly startTimeoutMs: number
  /** Before the first restart; it doubles with every failure. */
  readonly restartDelayMs: number
}

/** Events in the life of a plugin process. */
export type ProcessEvent =
  /** It is ready, for the first time or after a restart. */
  | { readonly is: 'ready' }
  /** It has stopped answering; it is killed if that continues. */
  | { readonly is: 'silent'; readonly why: string }
  /** It exited or was killed, and restarts after this delay. */
  | { readonly is: 'failed'; readonly why: string; readonly delayMs: number }
  /** It attempted something that its permissions do not allow, and was denied. */
  | { readonly is: 'violation'; readonly violation: Violation }
  /** Its current resource usage. */
  | { readonly is: 'usage'; readonly usage: ProcessUsage }
  /** A line of its output. */
  | { readonly is: 'output'; readonly line: string }

export interface ProcessRequest {
  /** The arguments and environment of the next process. */
  command(): { readonly args: readonly string[]; readonly environment: Readonly<Record<string, string>> }
  readonly limits: ProcessLimits
  readonly handlers: Readonly<Record<string, Handler>>
  /** Loads the plugin in a new process. A rejection counts as a failed start. */
  prepare(link: CallLink): Promise<void>
  onEvent(event: ProcessEvent): void
}

/** The size limit of a message. Objects are at most a few megabytes. */
const maxMessageBytes = 16 * 1024 * 1024
/** Above this many unread bytes, the process is considered unable to keep up. */
const maxUnsentBytes = 64 * 1024 * 1024
/** What waits for a process that reads too slowly; beyond this it is killed. */
const maxHeldBytes = 4 * maxUnsentBytes
/** Limit on messages per second that are not answers. More are treated as a flood. */
const maxMessagesPerSecond = 20_000
const maxBytesPerSecond = 64 * 1024 * 1024
const lastOutputMs = 100
const heartbeatMs = 250
/** Memory of a process in addition to the heap of its plugin. */
const overheadMegabytes = 128
const maxDelayMs = 60_000
/** A process that ran this long resets the back-off. */
const stableAfterMs = 30_000

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'starting'; readonly link: CallLink; readonly done: Promise<void> }
  | { readonly is: 'ready'; readonly link: CallLink; readonly since: number }
  | { readonly is: 'waiting'; readonly why: string; readonly timer: NodeJS.Timeout }
  | { readonly is: 'closed' }

/** The process of one plugin: started, monitored, and restarted with back-off when it exits or stops answering. */
export class IsolatedProcess {
  readonly #request: ProcessRequest
  #state: State = { is: 'idle' }
  #child: ChildProcess | undefined
  #failures = 0
  #heardAt = 0
  #calledAt = Number.NEGATIVE_INFINITY
  #isSilent = false
  #taken = { bytes: 0, at: 0 }
  #heartbeat: NodeJS.Timeout | undefined
  readonly #messages = new Budget(maxMessagesPerSecond, 1000)
  readonly #bytes = new Budget(maxBytesPerSecond, 1000)
  readonly #printed = new PrintedLines()

  constructor(request: ProcessRequest) {
    this.#request = request
  }

  /** Starts the process for the first time. If that rejects, there is no restart. */
  async start(): Promise<void> {
    try {
      await this.#launch()
    } catch (thrown) {
      await this.close()
      throw thrown
    }
  }

  /** Why it is unavailable now; undefined if it is available. */
  get unavailableReason(): string | undefined {
    if (this.#state.is === 'waiting') return this.#state.why
    return this.#state.is === 'closed' ? 'it was stopped' : undefined
  }

  /** Rejects with LinkClosed if the process does not answer, otherwise with the error that the plugin threw. */
  async call(topic: string, content: object, timeoutMs = this.#request.limits.callTimeoutMs): Promise<unknown> {
    const state = this.#state
    this.#calledAt = performance.now()
    if (state.is === 'starting') await state.done.catch(() => {})
    return this.#link().call(topic, content, timeoutMs)
  }
  /** For how long it has had nothing to do. */
  get idleMs(): number {
    const isBusy = this.#state.is === 'ready' && this.#state.link.waiting > 0
    return isBusy ? 0 : performance.now() - this.#calledAt
  }
  /** Returns the length of the message, or zero if there is no process to send it to. */
  notify(topic: string, content: object): number {
    const state = this.#state
    return state.is === 'ready' || state.is === 'starting' ? state.link.notify(topic, content) : 0
  }

  /** Waits until the process, if there is one, has read almost everything that was sent to it. */
  async room(signal: AbortSignal): Promise<void> {
    if (this.#state.is === 'ready' || this.#state.is === 'starting') await this.#state.link.room(signal)
  }

  /** The link, if a call may be made now. */
  #link(): CallLink {
    const state = this.#state
    if (state.is !== 'ready') throw new LinkClosed(this.unavailableReason ?? 'it is starting')
    if (state.link.waiting >= this.#request.limits.maxInflightCalls)
      throw new LinkClosed(`${state.link.waiting} calls are already pending`)
    if (state.link.unsentBytes > maxUnsentBytes) throw new LinkClosed('it does not read its messages')
    return state.link
  }

  /** Stops the process permanently. */
  async close(): Promise<void> {
    const child = this.#child
    if (this.#state.is === 'waiting') clearTimeout(this.#state.timer)
    if (this.#state.is === 'ready' || this.#state.is === 'starting')
      this.#state.link.close(new LinkClosed('it was stopped'))
    this.#state = { is: 'closed' }
    clearInterval(this.#heartbeat)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    await new Promise<void>(resolve => {
      child.once('exit', () => resolve())
      // The caller awaits the process now, so it may keep the event loop alive.
      child.ref()
      child.kill('SIGKILL')
    })
  }

  async #launch(): Promise<void> {
    const { command, limits, handlers, prepare, onEvent } = this.#request
    const { args, environment } = command()
    const child = spawn(process.execPath, [...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // Its own process group, so that signals to the server's group, from a terminal or from the plugin, do not reach
      // both.
      detached: true,
    })
    this.#child = child
    this.#heardAt = performance.now()
    this.#isSilent = false
    this.#printed.lastError = ''
    const stream = child.stdio[3]
    if (!(stream instanceof Duplex)) throw new Error('there is no channel to the process')
    const fail = (why: string) => this.#fail(child, why)
    const counted = Object.entries(handlers).map(([topic, handler]) => [topic, this.#counted(handler, fail)] as const)
    const link = new CallLink(stream, {
      maxBytes: maxMessageBytes,
      handlers: {
        ...Object.fromEntries(counted),
        alive: this.#counted(content => this.#measure(child, reportedUsage(content)), fail),
      },
      broken: why => fail(`it sent ${why}`),
      overdue: topic => fail(`it did not answer within ${limits.callTimeoutMs} ms (${topic})`),
    })
    stream.on('data', (chunk: Buffer) => {
      this.#hear()
      if (this.#bytes.take(chunk.length) !== 'within') fail(`it sent more than ${maxBytesPerSecond} bytes in a second`)
    })
    for (const output of [child.stdout, child.stderr]) {
      this.#printed.follow(output, line => onEvent({ is: 'output', line }))
      unref(output)
    }
    child.on('error', error => fail(error.message))
    // The last output may still be in flight.
    child.on('exit', (code, signal) => {
      const ended = () => fail(`${exitReason(code, signal)}${this.#printed.lastError}`)
      child.on('close', ended)
      setTimeout(ended, lastOutputMs).unref()
    })
    // The process must not keep an otherwise finished server alive.
    child.unref()
    unref(stream)
    const done = within(prepare(link), limits.startTimeoutMs, 'it was not loaded in time')
    this.#state = { is: 'starting', link, done }
    this.#heartbeat ??= setInterval(() => this.#beat(), heartbeatMs).unref()
    await done.catch((thrown: unknown) => {
      fail(thrown instanceof Error ? thrown.message : String(thrown))
      throw thrown
    })
    if (this.#state.is !== 'starting' || this.#state.link !== link) throw new LinkClosed('it exited while starting')
    this.#state = { is: 'ready', link, since: performance.now() }
    onEvent({ is: 'ready' })
  }

  #counted(handler: Handler, fail: (why: string) => void): Handler {
    return (content: JsonObject) => {
      if (this.#messages.take() !== 'within')
        return fail(`it sent more than ${maxMessagesPerSecond} messages in a second`)
      return handler(content)
    }
  }
  #hear(): void {
    this.#heardAt = performance.now()
    if (this.#isSilent && this.#state.is === 'ready') this.#request.onEvent({ is: 'ready' })
    this.#isSilent = false
  }

  /** A busy loop answers nothing, so silence counts whether or not a call is pending. */
  #beat(): void {
    if (this.#child?.pid !== undefined) this.#measure(this.#child, usageOf(this.#child.pid))
    const state = this.#state
    if (state.is !== 'ready') return
    const { limits, onEvent } = this.#request
    const silentMs = performance.now() - this.#heardAt
    const isBehind = state.link.unsentBytes > maxHeldBytes
    if (isBehind || !this.#isReading(state.link)) return this.#fail(this.#child, 'it does not read what is sent to it')
    state.link.notify('ping', {})
    if (silentMs > limits.callTimeoutMs) this.#fail(this.#child, `it has not answered for ${limits.callTimeoutMs} ms`)
    else if (silentMs > 3 * heartbeatMs && !this.#isSilent) {
      this.#isSilent = true
      onEvent({ is: 'silent', why: 'it does not answer' })
    }
  }

  /** A process that sends heartbeats and does not read would make the server buffer its messages. */
  #isReading({ takenBytes, unsentBytes }: CallLink): boolean {
    const now = performance.now()
    if (unsentBytes === 0 || takenBytes !== this.#taken.bytes) this.#taken = { bytes: takenBytes, at: now }
    return now - this.#taken.at <= this.#request.limits.callTimeoutMs
  }

  /** Node's limit applies to the heap; buffers and the like are outside of it. */
  #measure(child: ChildProcess, usage: ProcessUsage | undefined): void {
    if (!usage || (this.#state.is !== 'ready' && this.#state.is !== 'starting')) return
    const { limits, onEvent } = this.#request
    onEvent({ is: 'usage', usage })
    const allowed = limits.memoryMegabytes + overheadMegabytes
    const used = Math.ceil(usage.memoryBytes / 1024 / 1024)
    if (used > allowed) this.#fail(child, `it uses ${used} MB of memory, and at most ${allowed} are allowed`)
  }

  #fail(child: ChildProcess | undefined, why: string): void {
    const state = this.#state
    if (child !== this.#child || child === undefined || (state.is !== 'ready' && state.is !== 'starting')) return
    child.kill('SIGKILL')
    state.link.close(new LinkClosed(why))
    if (state.is === 'ready' && performance.now() - state.since > stableAfterMs) this.#failures = 0
    const delayMs = Math.min(this.#request.limits.restartDelayMs * 2 ** this.#failures++, maxDelayMs)
    const timer = setTimeout(() => void this.#launch().catch(() => {}), delayMs).unref()
    this.#state = { is: 'waiting', why, timer }
    this.#request.onEvent({ is: 'failed', why, delayMs })
  }
}

function unref(stream: object | null): void {
  if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
}

function exitReason(code: number | null, signal: string | null): string {
  if (signal === 'SIGABRT' || code === 134) return 'its process exited: it ran out of memory, or aborted'
  return signal === null ? `its process exited with code ${code}` : `its process was killed by ${signal}`
}

async function within(work: Promise<void>, timeoutMs: number, why: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LinkClosed(why)), timeoutMs)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
