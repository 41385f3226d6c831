import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import {
  defaultLimits,
  negotiate,
  type ProcessOutcome,
  portProtocols,
  processProtocols,
  type RunProcess,
  type StreamLimits,
  servePorts,
  serveProcess,
} from './index.js'

const domain = 'acme.test'
const spoken = processProtocols(domain, { closesStreams: true })
const key = 'dGhlIHNhbXBsZSBub25jZQ=='
const success: ProcessOutcome = { status: { status: 'Success' }, message: '' }

/** A server that runs `run` with all streams for every connection; paths that begin with /ports forward two ports. */
async function serving(
  run: RunProcess,
  test: (url: string) => Promise<void>,
  limits: Partial<StreamLimits> = {},
): Promise<void> {
  const server = createServer()
  const all = { ...defaultLimits, ...limits }
  const sockets = new Set<Socket>()
  server.on('upgrade', (asked, socket: Socket) => {
    sockets.add(socket)
    const isPorts = asked.url?.startsWith('/ports') ?? false
    const agreement = negotiate(
      { method: asked.method ?? '', headers: asked.headers },
      isPorts ? portProtocols(domain, { tunnels: true }) : spoken,
    )
    const lines = Object.entries(agreement.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
    const served = isPorts
      ? servePorts(
          socket,
          agreement,
          [80, 8080],
          async (port, connection) => {
            if (port === 8080) throw new Error('refused')
            for await (const chunk of connection) connection.write(chunk)
          },
          all,
        )
      : serveProcess(
          socket,
          agreement,
          { stdin: true, stdout: true, stderr: true, tty: asked.url === '/tty' },
          run,
          all,
        )
    void served.finally(() => socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    await test(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

interface Talk {
  readonly socket: WebSocket
  readonly messages: string[]
  readonly closed: Promise<number>
}
async function talk(url: string, protocol: string): Promise<Talk> {
  const socket = new WebSocket(url, [protocol])
  const messages: string[] = []
  socket.on('message', data => messages.push(`${data[0]}:${data.subarray(1)}`))
  const closed = new Promise<number>(resolve => socket.on('close', code => resolve(code)))
  socket.on('error', () => {})
  await new Promise<void>(resolve => socket.on('open', () => resolve()))
  return { socket, messages, closed }
}
const until = async (holds: () => boolean) => {
  for (let i = 0; i < 1000 && !holds(); i++) await new Promise(resolve => setTimeout(resolve, 2))
  assert.ok(holds(), 'it took too long')
}
const cat: RunProcess = async ({ input, output, error }) => {
  error.write('reading\n')
  for await (const chunk of input) output.write(chunk)
  return success
}

const channels = suite('streams over channels')
channels('version 5 can close stdin, and sends the Status before closing', () =>
  serving(cat, async url => {
    const { socket, messages, closed } = await talk(url, 'v5.channel.acme.test')
    socket.send(Buffer.from('\0hello'))
    await until(() => messages.includes('1:hello'))
    socket.send(Buffer.from([255, 0]))
    assert.is(await closed, 1000)
    assert.equal(messages, ['2:reading\n', '1:hello', '3:{"status":"Success"}'])
  }),
)
channels('version 4 cannot close stdin, and starts with an empty message; base64 messages are text', () =>
  serving(cat, async url => {
    const plain = await talk(url, 'v4.channel.acme.test')
    plain.socket.send(Buffer.from([255, 0]))
    plain.socket.send(Buffer.from('\0still'))
    await until(() => plain.messages.includes('1:still'))
    assert.is(plain.messages[0], '1:')
    plain.socket.close()
    const text = await talk(url, 'v4.base64.channel.acme.test')
    text.socket.send(`0${Buffer.from('ünlaut').toString('base64')}`)
    await until(() => text.messages.includes(`${'1'.charCodeAt(0)}:${Buffer.from('ünlaut').toString('base64')}`))
    text.socket.close()
  }),
)
channels('older versions receive plain text, and only on failure', () =>
  serving(
    async ({ input }) => {
      input.resume()
      return { status: {}, message: 'exit status 3' }
    },
    async url => {
      const { messages, closed } = await talk(url, 'channel.acme.test')
      await closed
      assert.equal(messages, ['1:', '3:exit status 3'])
    },
  ),
)
channels('terminal sizes are passed on, and invalid ones are ignored', () => {
  const sizes: unknown[] = []
  return serving(
    async ({ input, onResize }) => {
      onResize(size => sizes.push(size))
      for await (const _ of input);
      return success
    },
    async url => {
      const { socket, closed } = await talk(`${url}/tty`, 'v5.channel.acme.test')
      for (const text of ['{"Width":80,"Height":24}\n', '{"Width":', '90,"Height":30}', 'x}{}', '{"Width":"a"}'])
        socket.send(Buffer.from(`\x04${text}`))
      socket.send(Buffer.from([255, 0]))
      await closed
      assert.equal(sizes, [
        { width: 80, height: 24 },
        { width: 90, height: 30 },
      ])
    },
  )
})
channels('the signal of a process is aborted when its client disconnects', () => {
  let isGone = false
  return serving(
    (_, signal) =>
      new Promise(resolve =>
        signal.addEventListener('abort', () => {
          isGone = true
          resolve(success)
        }),
      ),
    async url => {
      const { socket } = await talk(url, 'v5.channel.acme.test')
      socket.terminate()
      await until(() => isGone)
    },
  )
})
channels('a client that reads nothing slows the process down', () => {
  let written = 0
  return serving(
    async ({ output }, signal) => {
      const gone = once(signal, 'abort')
      while (written < 2000 && !signal.aborted) {
        const isReady = output.write(Buffer.alloc(65_536))
        written++
        if (!isReady)
          await new Promise<void>(resolve => {
            output.once('drain', resolve)
            void gone.then(() => resolve())
          })
      }
      return success
    },
    async url => {
      const { port } = new URL(url)
      const socket = connect(Number(port), '127.0.0.1')
      socket.pause()
      socket.write(
        `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
      )
      let before = -1
      await until(() => {
        const isStill = written === before && written > 0
        before = written
        return isStill
      })
      assert.ok(written < 500, `${written} pieces of 64 KiB were written`)
      socket.destroy()
    },
  )
})

const hostile: Record<string, (socket: WebSocket) => void> = {
  'a message that is too large': socket => socket.send(Buffer.alloc(5000)),
  'text that is not UTF-8': socket =>
    (socket as unknown as { _socket: Socket })._socket.write(Buffer.from('8184000000008080ffff', 'hex')),
  'frames without a mask': socket =>
    (socket as unknown as { _socket: Socket })._socket.write(Buffer.from('820100', 'hex')),
}
for (const [title, attack] of Object.entries(hostile))
  channels(`closes the connection after ${title}`, () => {
    let isGone = false
    return serving(
      async ({ input }, signal) => {
        input.resume()
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
        isGone = true
        return success
      },
      async url => {
        const { socket } = await talk(url, 'v5.channel.acme.test')
        attack(socket)
        await until(() => isGone)
      },
      { messageBytes: 4096 },
    )
  })
channels('ignores channels that do not exist, and messages without one', () =>
  serving(cat, async url => {
    const { socket, messages, closed } = await talk(url, 'v5.channel.acme.test')
    for (const bytes of [[], [9, 1], [1, 1], [255], [255, 200]]) socket.send(Buffer.from(bytes))
    socket.send(Buffer.from('\0x'))
    socket.send(Buffer.from([255, 0]))
    await closed
    assert.ok(messages.includes('1:x'))
  }),
)
channels('an idle connection is closed', () =>
  serving(
    cat,
    async url => {
      const { closed } = await talk(url, 'v5.channel.acme.test')
      assert.is(await closed, 1006)
    },
    { idleMs: 50 },
  ),
)
channels('each port has two channels, which start with the port number', () =>
  serving(cat, async url => {
    const { socket, messages } = await talk(`${url}/ports`, 'v4.channel.acme.test')
    await until(() => messages.includes('3:refused'))
    socket.send(Buffer.from('\0ping'))
    await until(() => messages.includes('0:ping'))
    assert.equal(
      messages.slice(0, 4).sort(),
      ['0:P\0', '1:P\0', '2:\x90\x1f', '3:\x90\x1f'].map(text => Buffer.from(text, 'latin1').toString()).sort(),
    )
    socket.close()
  }),
)
channels('a SPDY connection without streams is closed', () =>
  serving(
    cat,
    async url => {
      const { port } = new URL(url)
      await new Promise<void>((resolve, reject) => {
        const asked = request({
          port,
          host: '127.0.0.1',
          method: 'POST',
          headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
        })
        asked.on('upgrade', (_, socket) => socket.on('close', () => resolve()).resume())
        asked.on('error', reject)
        asked.end()
      })
    },
    { openMs: 50 },
  ),
)
channels.run()
