import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { status } from '@grpc/grpc-js'
import { ShortLivedEntries } from 'orch/sdk/host'
import { CallError } from './call-error.js'
import { answerOf, HeaderReader } from './grpc-answer.js'
import {
  type Frame,
  FrameReader,
  flags,
  frame,
  frameTypes,
  initialWindow,
  largestWindow,
  number32,
  preface,
  settings,
  settingsFrame,
  unpadded,
} from './http2-frames.js'
import { Outbox, type OutgoingCall } from './http2-outbox.js'

/** Certificates and key for TLS. */
export interface TlsOptions {
  readonly ca?: Buffer
  readonly cert?: Buffer
  readonly key?: Buffer
}
export interface Http2Target {
  readonly host: string
  readonly port: number
  /** Undefined for a connection without TLS. */
  readonly tls: TlsOptions | undefined
}

export interface Call extends OutgoingCall {
  readonly timeoutMs: number
  resolve(answer: Buffer): void
  reject(error: CallError): void
}
interface Waiting extends Call {
  readonly until: number
}
interface Stream extends Waiting {
  readonly id: number
  readonly begunAt: number
  readonly received: Buffer[]
}

const resetCodes = { refused: 7, cancel: 8 } as const
/** A WINDOW_UPDATE is sent after this many bytes. */
const refillBytes = 2 ** 24

/** A connection to one member. It is used until it breaks or the member closes it; then a new one is opened. */
export class Http2Connection {
  readonly #socket: Socket | TLSSocket
  readonly #outbox: Outbox
  readonly #reader = new FrameReader()
  readonly #streams = new ShortLivedEntries<Stream>()
  readonly #headers = new HeaderReader()
  #waiting: Waiting[] = []
  #isFlushing = false
  #isOpen = false
  #isEnding = false
  #nextId = 1
  #mostStreams = Number.POSITIVE_INFINITY
  #usedRoom = 0
  #receivedAt = 0
  /** A single timer that expires the calls of all streams. */
  #timer: NodeJS.Timeout | undefined
  #looksAt = Number.POSITIVE_INFINITY

  constructor({ host, port, tls }: Http2Target) {
    this.#outbox = new Outbox([
      [':method', 'POST'],
      [':scheme', tls ? 'https' : 'http'],
      [':authority', `${host.includes(':') ? `[${host}]` : host}:${port}`],
      ['te', 'trailers'],
      ['content-type', 'application/grpc'],
    ])
    this.#socket = tls
      ? connectTls({ ...tls, host, port, ALPNProtocols: ['h2'] }, () => this.#opened())
      : connectPlain({ host, port }, () => this.#opened())
    this.#socket.setNoDelay(true)
    this.#socket.on('data', bytes => this.#take(bytes))
    this.#socket.on('error', error => this.#end(error.message))
    this.#socket.on('close', () => this.#end('it was closed'))
  }

  get isUsable(): boolean {
    return !this.#isEnding && this.#nextId < largestWindow
  }

  send(call: Call): void {
    const until = performance.now() + call.timeoutMs
    this.#waiting.push({ ...call, until })
    if (until < this.#looksAt) this.#lookAt(until)
    this.#flushSoon()
  }
  close(): void {
    this.#end('it was closed locally')
  }

  #opened(): void {
    if ('alpnProtocol' in this.#socket && this.#socket.alpnProtocol !== 'h2') {
      return this.#end('the member does not speak HTTP/2')
    }
    this.#isOpen = true
    const { headerTableSize, enablePush, initialWindowSize } = settings
    const own = { [headerTableSize]: 0, [enablePush]: 0, [initialWindowSize]: largestWindow }
    this.#outbox.push(preface, settingsFrame(own), moreRoom(largestWindow - initialWindow))
    this.#flush()
  }

  /** Requests of one turn of the event loop are written together. */
  #flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => this.#flush())
  }
  #flush(): void {
    this.#isFlushing = false
    if (!this.#isOpen || this.#socket.destroyed) return
    const room = this.#isEnding ? 0 : this.#mostStreams - this.#streams.size
    const begun = this.#waiting.length <= room ? this.#waiting : this.#waiting.slice(0, Math.max(0, room))
    this.#waiting = this.#waiting.slice(begun.length)
    for (const call of begun) this.#begin(call)
    const out = this.#outbox.take()
    if (out) this.#socket.write(out)
  }

  #begin(call: Waiting): void {
    const id = this.#nextId
    this.#nextId += 2
    this.#streams.set(id, { ...call, id, begunAt: performance.now(), received: [] })
    this.#outbox.begin(id, call)
  }

  #take(bytes: Buffer): void {
    this.#receivedAt = performance.now()
    try {
      for (const each of this.#reader.push(bytes)) this.#takeFrame(each)
    } catch (error) {
      this.#end(`the member violates HTTP/2: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  #takeFrame(each: Frame): void {
    const { type, payload, stream: id } = each
    switch (type) {
      case frameTypes.data:
        return this.#takeData(each)
      case frameTypes.headers:
        return this.#takeHeaders(each)
      case frameTypes.reset:
        return this.#wasReset(this.#streams.get(id), payload.readUInt32BE())
      case frameTypes.settings:
        return this.#takeSettings(each)
      case frameTypes.push:
        throw new Error('server push is disabled')
      case frameTypes.ping:
        if ((each.flags & flags.ack) === 0) this.#answerNow(frame(frameTypes.ping, flags.ack, 0, payload))
        return
      case frameTypes.goAway:
        return this.#leave(payload.readUInt32BE() % 2 ** 31)
      case frameTypes.windowUpdate:
        this.#outbox.addRoom(id, payload.readUInt32BE() % 2 ** 31)
        return this.#flushSoon()
    }
  }

  #takeData(each: Frame): void {
    this.#usedRoom += each.payload.length
    if (this.#usedRoom >= refillBytes) {
      this.#answerNow(moreRoom(this.#usedRoom))
      this.#usedRoom = 0
    }
    const stream = this.#streams.get(each.stream)
    if (stream === undefined) return
    stream.received.push(unpadded(each))
    if ((each.flags & flags.endStream) !== 0) {
      this.#fail(stream, new CallError(status.INTERNAL, 'the answer has no status'))
    }
  }
  #takeHeaders({ stream: id, flags: set, payload }: Frame): void {
    // Decoded even if the response is no longer needed: an invalid block must end the connection.
    const headers = this.#headers.read(payload)
    const stream = this.#streams.get(id)
    const answer = stream && answerOf(headers, stream.received, (set & flags.endStream) !== 0)
    if (answer === undefined) return
    if (answer instanceof CallError) return this.#fail(stream!, answer)
    this.#forget(stream!)
    stream!.resolve(answer)
  }

  #takeSettings({ flags: set, payload }: Frame): void {
    if ((set & flags.ack) !== 0) return
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2)
      const id = payload.readUInt16BE(at)
      if (id === settings.maxConcurrentStreams) this.#mostStreams = value
      else if (id === settings.maxFrameSize) this.#outbox.setFrameSize(value)
      else if (id === settings.initialWindowSize) this.#outbox.setStreamWindow(value)
    }
    this.#outbox.sendMore()
    this.#answerNow(frame(frameTypes.settings, flags.ack, 0, Buffer.alloc(0)))
  }
  #answerNow(bytes: Buffer): void {
    this.#outbox.push(bytes)
    this.#flushSoon()
  }

  #wasReset(stream: Stream | undefined, code: number): void {
    if (stream === undefined) return
    const isUnsent = code === resetCodes.refused
    const failure = code === resetCodes.cancel ? status.CANCELLED : isUnsent ? status.UNAVAILABLE : status.INTERNAL
    this.#fail(stream, new CallError(failure, `the member reset the stream (${code})`, isUnsent))
  }
  #fail(stream: Stream, error: CallError): void {
    this.#forget(stream)
    stream.reject(error)
  }
  #forget(stream: Stream): void {
    this.#streams.delete(stream.id)
    this.#outbox.forget(stream.id)
    if (this.#isEnding && this.#streams.size === 0) this.#socket.end()
    else if (this.#waiting.length > 0) this.#flushSoon()
  }

  /** Handles GOAWAY: the member has not processed streams after this one. */
  #leave(last: number): void {
    this.#isEnding = true
    const unseen = this.#streams.values().filter(({ id }) => id > last)
    for (const { id } of unseen) {
      this.#streams.delete(id)
      this.#outbox.forget(id)
    }
    this.#refuse([...unseen, ...this.#waiting.splice(0)], 'the member ends the connection')
    if (this.#streams.size === 0) this.#socket.end()
  }
  #end(why: string): void {
    this.#isEnding = true
    clearTimeout(this.#timer)
    this.#socket.destroy()
    const begun = this.#streams.values()
    this.#streams.clear()
    for (const stream of begun) stream.reject(new CallError(status.UNAVAILABLE, `the connection broke: ${why}`))
    this.#refuse(this.#waiting.splice(0), why)
  }
  /** Rejects calls that the member certainly did not receive. */
  #refuse(calls: readonly Call[], why: string): void {
    for (const call of calls) call.reject(new CallError(status.UNAVAILABLE, `No connection established: ${why}`, true))
  }

  #lookAt(time: number): void {
    clearTimeout(this.#timer)
    this.#looksAt = time
    this.#timer = setTimeout(() => this.#expire(), Math.ceil(time - performance.now()))
  }
  #expire(): void {
    this.#looksAt = Number.POSITIVE_INFINITY
    const now = performance.now()
    const isOver = ({ until }: Waiting) => until <= now
    const late = this.#streams.values().filter(isOver)
    // Nothing was received at all: the connection itself is dead.
    if (late.some(({ begunAt }) => begunAt >= this.#receivedAt) || (!this.#isOpen && this.#waiting.some(isOver))) {
      for (const stream of late) this.#fail(stream, tooLate())
      return this.#end('no answer came in time')
    }
    for (const stream of late) {
      this.#answerNow(frame(frameTypes.reset, 0, stream.id, number32(resetCodes.cancel)))
      this.#fail(stream, tooLate())
    }
    this.#refuse(this.#waiting.filter(isOver), 'no stream was available in time')
    this.#waiting = this.#waiting.filter(call => !isOver(call))
    const left = [...this.#streams.values(), ...this.#waiting].map(({ until }) => until)
    if (left.length > 0) this.#lookAt(left.reduce((a, b) => Math.min(a, b)))
  }
}

const tooLate = () => new CallError(status.DEADLINE_EXCEEDED, 'no answer came in time')
const moreRoom = (bytes: number): Buffer => frame(frameTypes.windowUpdate, 0, 0, number32(bytes))
