import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import type { Logger } from 'orch/sdk'
import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Exchange } from '../../../kernel/contracts/exchange.js'
import { statusLimits } from '../../../kernel/http/connection-limits.js'
import { Connections } from '../../../kernel/http/connections.js'
import { HttpServer } from '../../../kernel/http/tls-server.js'
import { eventually } from '../../support/eventually.js'

/** More than the buffers of the system for a client that does not read. */
const largeBytes = 24 * 2 ** 20
const patientMs = 60_000

/** `/large` is answered at the pace of its reader, `/never` not at all, `/broken` in part. */
function answer(exchange: Exchange): void {
  if (exchange.url === '/never') return void exchange.readBody(1000).catch(() => {})
  if (exchange.url === '/large') return exchange.send(200, {}, Buffer.alloc(largeBytes, 'x'))
  if (exchange.url === '/watch') return void exchange.stream(200, {}, true).write(Buffer.from('first'))
  if (exchange.url !== '/broken') return exchange.send(200, {}, 'small')
  const stream = exchange.stream(200, {})
  stream.write(Buffer.from('half of it'))
  stream.destroy()
}

interface Served {
  readonly connections: Connections
  readonly told: string[]
  readonly port: number
  readonly http: HttpServer
}
async function withServer(use: (served: Served) => Promise<void>): Promise<void> {
  const { certificatePem, keyPem } = await (await testAuthority()).server()
  const told: string[] = []
  const tell = (level: string) => (message: string) => void told.push(`${level}: ${message}`)
  const logger: Logger = {
    debug: tell('debug'),
    info: tell('info'),
    warn: tell('warn'),
    error: tell('error'),
    child: () => logger,
  }
  const connections = new Connections({ ...statusLimits, unsentBytes: 0 }, logger)
  const options = { bindAddress: '127.0.0.1', port: 0, tls: { certificatePem, keyPem }, connections }
  const http = new HttpServer(options, answer)
  const port = await http.listen({ host: '127.0.0.1', port: 0 })
  try {
    await use({ connections, told, port, http })
  } finally {
    await http.close(0, 0)
  }
}

/** A connection that buffers writes until `send`, so that several TLS records arrive together. */
class Gathering extends Duplex {
  readonly #socket = new Socket()
  #gathered: Buffer[] | undefined

  constructor(port: number) {
    super()
    this.#socket.connect(port, '127.0.0.1')
    this.#socket.on('error', error => this.destroy(error))
    this.#socket.on('data', chunk => {
      if (!this.push(chunk)) this.#socket.pause()
    })
    this.#socket.on('close', () => this.push(null))
  }
  override _read(): void {
    this.#socket.resume()
  }
  override _write(chunk: Buffer, _encoding: unknown, done: () => void): void {
    if (this.#gathered) this.#gathered.push(chunk)
    else this.#socket.write(chunk)
    done()
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
  gather(): void {
    this.#gathered = []
  }
  /** How many writes were gathered: a record each. */
  get count(): number {
    return this.#gathered?.length ?? 0
  }
  send(): void {
    this.#socket.write(Buffer.concat(this.#gathered ?? []))
    this.#gathered = undefined
  }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: server\r\n\r\n`

const ready = (client: TLSSocket) =>
  new Promise<TLSSocket>(resolve => client.on('error', () => {}).once('secureConnect', () => resolve(client)))
const opened = (port: number) => ready(connect({ port, host: '127.0.0.1', rejectUnauthorized: false }))

const interruptions = suite('connections that end during a request')

interruptions('requests that arrive together while an answer is being sent are answered, too', () =>
  withServer(async ({ connections, port }) => {
    const wire = new Gathering(port)
    const client = await ready(connect({ socket: wire, rejectUnauthorized: false }))
    let received = 0
    let tail = ''
    client.pause()
    client.write(get('/large'))
    // The buffers of the system are full.
    await eventually('the answer to wait for its reader', () => connections.unsentBytes > 0, patientMs)
    wire.gather()
    for (const path of ['/small', '/small']) {
      const before = wire.count
      client.write(get(path))
      await eventually('a record', () => wire.count > before, patientMs)
    }
    wire.send()
    // Whether the server has read them cannot be seen from here.
    await setTimeout(200)
    const closed = new Promise(resolve => client.once('close', resolve))
    client.on('data', (chunk: Buffer) => {
      received += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-1000)
    })
    const all = eventually('all answers', () => received > largeBytes && tail.split('small').length === 3, patientMs)
    client.resume()
    await Promise.race([all, closed])
    assert.is(tail.split('small').length, 3, `${received} bytes came`)
    assert.equal([...connections.interruptions], [])
    client.destroy()
  }),
)

/** Events on a connection, and their metric and log line. */
const endings: Record<string, { send: string; leave?: boolean; counted?: string; logged?: string }> = {
  'what comes is not HTTP': {
    send: 'POST /never HTTP/1.1\r\nHost: server\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    counted: 'invalid-request',
    logged: 'warn: connections ended during a request: invalid-request (HPE_INVALID_CHUNK_SIZE)',
  },
  'the client leaves': {
    send: get('/never'),
    leave: true,
    counted: 'client',
    logged: 'info: connections ended during a request: client',
  },
  'the client leaves within a body': {
    send: 'POST /never HTTP/1.1\r\nHost: server\r\nContent-Length: 10\r\n\r\nhalf',
    leave: true,
    counted: 'client',
    logged: 'info: connections ended during a request: client',
  },
  'the answer cannot be finished': {
    send: get('/broken'),
    counted: 'server',
    logged: 'warn: connections ended during a request: server',
  },
  'the client leaves a watch': { send: get('/watch'), leave: true },
  'the client leaves after its answer': { send: get('/small'), leave: true },
  'an answer is the last': { send: 'GET /small HTTP/1.1\r\nHost: server\r\nConnection: close\r\n\r\n' },
}
for (const [title, { send, leave, counted, logged }] of Object.entries(endings))
  interruptions(`are counted and logged: ${title}`, () =>
    withServer(async ({ connections, told, port, http }) => {
      const client = await opened(port)
      client.resume()
      const answered = new Promise(resolve => client.once('data', resolve))
      const closed = new Promise(resolve => client.once('close', resolve))
      client.write(send)
      if (leave && !send.includes('/never')) await answered
      // The server has the request.
      if (leave && send.includes('/never')) await setTimeout(300)
      if (leave) client.destroy()
      await closed
      await eventually('the server to notice', () => connections.count === 0, patientMs)
      assert.equal([...connections.interruptions], counted === undefined ? [] : [[counted, 1]])
      await http.close(0, 0)
      assert.equal(told, logged === undefined ? [] : [logged])
    }),
  )

interruptions('a started response is not followed by another one for invalid HTTP', () =>
  withServer(async ({ connections, port }) => {
    const client = await opened(port)
    let text = ''
    client.on('data', chunk => (text += chunk))
    const closed = new Promise(resolve => client.once('close', resolve))
    client.write(get('/watch'))
    await eventually('the beginning of the answer', () => text.includes('first'), patientMs)
    client.write('this is not HTTP\r\n\r\n')
    await closed
    assert.not.match(text, '400')
    assert.equal([...connections.interruptions], [['invalid-request', 1]])
  }),
)

interruptions('a server that stops before a response is finished logs it', () =>
  withServer(async ({ connections, told, port, http }) => {
    const client = await opened(port)
    client.write(get('/large'))
    await eventually('the answer to wait for its reader', () => connections.unsentBytes > 0, patientMs)
    await http.close(1, 0)
    assert.equal([...connections.interruptions], [['shutdown', 1]])
    assert.equal(told, ['warn: connections ended during a request: shutdown'])
    client.destroy()
  }),
)

interruptions.run()
