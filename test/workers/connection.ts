import { Agent, type RequestOptions, request } from 'node:https'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { GreeterStatus } from '../support/greeter-package.js'

/** An object of the API, as far as these tests look at it. */
export interface Thing {
  readonly kind?: string
  readonly reason?: string
  readonly message?: string
  /** Of an error. */
  readonly code?: number
  readonly metadata: {
    readonly name: string
    readonly uid?: string
    readonly resourceVersion: string
    readonly labels?: Record<string, string>
  }
  readonly data?: Record<string, string>
  readonly items?: readonly Thing[]
  readonly spec?: { readonly clusterIP?: string }
  readonly status?: GreeterStatus & { readonly used?: Record<string, string>; readonly token?: string }
}
export interface Reply {
  readonly status: number
  readonly body: Thing
  readonly text: string
}
const nameless = { name: '', resourceVersion: '' }
export interface WatchEvent {
  readonly type: string
  readonly object: Thing
}

export interface Server {
  readonly url: string
  readonly ca: string
}

export interface Watching {
  /** The server has begun to answer, or will not. */
  readonly opened: Promise<void>
  /** True when the server ended it in good order. */
  readonly ended: Promise<boolean>
  stop(): void
}

/** One connection to a server, kept open: all its requests go to the same worker. */
export class Connection {
  readonly #server: Server
  readonly #token: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  /** The port of our end. */
  localPort = 0

  constructor(server: Server, token = 'admintoken') {
    this.#server = server
    this.#token = token
  }

  get = (path: string) => this.#send('GET', path)
  post = (path: string, body: object) => this.#send('POST', path, body)
  put = (path: string, body: object) => this.#send('PUT', path, body)
  merge = (path: string, body: object) => this.#send('PATCH', path, body, 'application/merge-patch+json')
  apply = (path: string, body: object) => this.#send('PATCH', path, body, 'application/apply-patch+yaml')
  delete = (path: string) => this.#send('DELETE', path)
  close = () => this.#agent.destroy()

  #send(method: string, path: string, body?: object, type = 'application/json'): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#server.url}${path}`, this.#options(method, this.#agent, type), response => {
        let text = ''
        response.setEncoding('utf8').on('data', piece => (text += piece))
        response.on('error', reject)
        response.on('end', () => {
          const isJson = response.headers['content-type']?.includes('json')
          resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : {}, text })
        })
      })
      sent.on('error', reject)
      sent.on('socket', (socket: Socket) => {
        const note = () => (this.localPort = socket.localPort ?? 0)
        if (socket.connecting) socket.once('secureConnect', note)
        else note()
      })
      sent.end(body && JSON.stringify(body))
    })
  }

  /** The events of a watch, or the error that it was refused with, on a connection of its own, until it ends. */
  watch(path: string, onEvent: (event: WatchEvent) => void): Watching {
    const options = this.#options('GET', false, 'application/json')
    const sent = request(`${this.#server.url}${path}`, options)
    const ended = new Promise<boolean>(resolve => {
      sent.on('error', () => resolve(false))
      sent.on('response', response => {
        response.on('error', () => resolve(false))
        response.on('close', () => resolve(response.complete))
        if (response.statusCode !== 200) {
          onEvent({ type: 'ERROR', object: { code: response.statusCode ?? 0, metadata: nameless } })
          return void response.resume()
        }
        const lines = createInterface({ input: response })
        lines.on('error', () => resolve(false))
        lines.on('line', line => {
          if (line !== '') onEvent(JSON.parse(line) as WatchEvent)
        })
      })
    })
    sent.end()
    const opened = new Promise<void>(resolve => {
      sent.on('response', () => resolve())
      sent.on('close', () => resolve())
    })
    return { opened, ended, stop: () => void sent.destroy() }
  }

  #options(method: string, agent: Agent | false, type: string): RequestOptions {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': type }
    return { method, agent, ca: this.#server.ca, headers }
  }
}
