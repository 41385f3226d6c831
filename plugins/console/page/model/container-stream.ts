import { type ApiFailure, failureOf, request } from './api.js'
import { session, settings } from './session.js'

/** The first byte of every message is the number of its channel. */
const channels = { input: 0, output: 1, error: 2, status: 3, close: 255 }

export interface StreamListener {
  output(text: string, isError: boolean): void
  /** The exit code if the server reports it, or the failure. */
  ended(how: { readonly exitCode: number } | { readonly failure: unknown }): void
}

/** A command in a container, or its main process, over a WebSocket. */
export class ContainerStream {
  readonly #path: string
  readonly #listener: StreamListener
  readonly #socket: WebSocket
  readonly #decoders = { 1: new TextDecoder(), 2: new TextDecoder() }
  #isOpen = false
  #isOver = false

  /** `path` is that of `exec` or `attach`, with its query. */
  constructor(path: string, listener: StreamListener) {
    this.#path = path
    this.#listener = listener
    const { groupDomain } = settings.value
    // Browsers cannot set headers of a WebSocket: the token is sent as a subprotocol, which the server removes.
    const token = btoa(session.value?.token ?? '')
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '')
    const protocols = [`v5.channel.${groupDomain}`, `base64url.bearer.authorization.${groupDomain}.${token}`]
    this.#socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}`, protocols)
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onopen = () => (this.#isOpen = true)
    this.#socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => this.#receive(new Uint8Array(data))
    this.#socket.onclose = () => void this.#closed()
  }

  /** Writes text to standard input. */
  send(text: string): void {
    this.#sendOn(channels.input, new TextEncoder().encode(text))
  }
  /** Closes standard input. */
  endInput(): void {
    this.#sendOn(channels.close, new Uint8Array([channels.input]))
  }
  stop(): void {
    this.#end({ failure: undefined })
    this.#socket.close()
  }

  #sendOn(channel: number, bytes: Uint8Array): void {
    if (this.#isOpen && !this.#isOver) this.#socket.send(new Uint8Array([channel, ...bytes]))
  }

  #receive(message: Uint8Array): void {
    const [channel] = message
    const bytes = message.subarray(1)
    if (this.#isOver || bytes.length === 0) return
    if (channel === channels.output || channel === channels.error)
      this.#listener.output(
        this.#decoders[channel === channels.output ? 1 : 2].decode(bytes, { stream: true }),
        channel === channels.error,
      )
    if (channel === channels.status) this.#end(outcomeOf(new TextDecoder().decode(bytes)))
  }

  async #closed(): Promise<void> {
    if (this.#isOver) return
    this.#end({ failure: this.#isOpen ? new Error('The connection was lost.') : await this.#whyRefused() })
  }

  /** A browser does not report why a WebSocket was rejected; the same request without an upgrade returns the reason. */
  async #whyRefused(): Promise<unknown> {
    try {
      const response = await request(this.#path)
      const failure: ApiFailure = await failureOf(response)
      // Then only the upgrade is missing.
      return /upgrade/i.test(failure.message) ? new Error('The server ended the connection.') : failure
    } catch (failure) {
      return failure
    }
  }

  #end(how: Parameters<StreamListener['ended']>[0]): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener.ended(how)
  }
}

/** Parses the last message of a process. */
function outcomeOf(text: string): Parameters<StreamListener['ended']>[0] {
  const { status, message, details } = JSON.parse(text)
  if (status === 'Success') return { exitCode: 0 }
  const causes: readonly { reason?: string; message?: string }[] = details?.causes ?? []
  const code = causes.find(({ reason }) => reason === 'ExitCode')?.message
  return code === undefined ? { failure: new Error(String(message)) } : { exitCode: Number(code) }
}
