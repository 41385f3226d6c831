import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type WebSocket, WebSocketServer } from 'ws'
import { temporaryFolder } from '../test/support/temporary-folder.js'
import { run } from './run.js'

/** A server with one Pod whose streams the test handles. */
async function withPod(
  answer: (path: URL, socket: WebSocket) => void,
  test: (world: {
    orchctl(
      args: string[],
      input?: string,
      signal?: AbortSignal,
      heard?: (text: string) => void,
    ): Promise<{ code: number; out: string; error: string }>
    url: string
    requests: string[]
  }) => Promise<void>,
): Promise<void> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', resourceVersion: '5', uid: 'u' },
    spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort: 80 }] }] },
    status: { phase: 'Running' },
  }
  const requests: string[] = []
  const bodies: Record<string, unknown> = {
    '/api': { versions: ['v1'] },
    '/apis': { groups: [] },
    '/api/v1': {
      resources: [
        { name: 'pods', kind: 'Pod', singularName: 'pod', namespaced: true, verbs: ['get', 'list', 'watch'] },
      ],
    },
    '/api/v1/namespaces/default/pods/web': pod,
    '/api/v1/namespaces/default/pods': {
      apiVersion: 'v1',
      kind: 'PodList',
      metadata: { resourceVersion: '5' },
      items: [pod],
    },
  }
  const server = createServer((asked: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(asked.url ?? '', 'http://x')
    requests.push(`${asked.method} ${asked.url} ${asked.headers.authorization}`)
    if (searchParams.has('watch')) return void response.writeHead(200).flushHeaders()
    const body = bodies[pathname]
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(
        body ?? { kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound', message: `no ${pathname}` },
      ),
    )
  })
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: offered => [...offered][0] ?? false })
  server.on('upgrade', (request, socket, head) => {
    requests.push(`UPGRADE ${request.url} ${request.headers.authorization}`)
    sockets.handleUpgrade(request, socket, head, opened => answer(new URL(request.url ?? '', 'http://x'), opened))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await test({
      url,
      requests,
      async orchctl(args, input = '', signal = new AbortController().signal, heard = () => {}) {
        let [out, error] = ['', '']
        const collecting = (add: (text: string) => void) =>
          new Writable({
            write(chunk, _, done) {
              add(String(chunk))
              done()
            },
          })
        const code = await run(['-s', url, '--token=secret', '--vendor=kubernetes', ...args], {
          version: '0.0.0',
          environment: { HOME: '/nonexistent', PATH: process.env['PATH'] },
          isTerminal: false,
          signal,
          write(text) {
            out += text
            heard(text)
          },
          log: line => (error += `${line}\n`),
          readInput: async () => input,
          readLine: async () => input,
          streams: () => ({
            input: Readable.from([Buffer.from(input)]),
            output: collecting(text => (out += text)),
            error: collecting(text => (error += text)),
          }),
        })
        return { code, out, error }
      },
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const frame = (channel: number, data: string | Buffer) => Buffer.concat([Buffer.from([channel]), Buffer.from(data)])
const failed = (exit: number) =>
  JSON.stringify({
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exit) }] },
  })

const streams = suite('orchctl and containers')

streams('runs commands in a container, with input, output and exit code', () =>
  withPod(
    ({ searchParams }, socket) => {
      const command = searchParams.getAll('command')
      if (command[0] === 'fails') {
        socket.send(frame(2, 'no such thing\n'))
        socket.send(frame(3, failed(7)))
        return socket.close()
      }
      if (command[0] !== 'cat') {
        socket.send(frame(1, command.join(' ')))
        socket.send(frame(3, '{"status":"Success"}'))
        return socket.close()
      }
      socket.on('message', data => {
        if (data[0] === 0) socket.send(frame(1, data.subarray(1)))
        if (data[0] !== 255) return
        socket.send(frame(3, '{"status":"Success"}'))
        socket.close()
      })
    },
    async ({ orchctl, requests }) => {
      assert.equal(await orchctl(['exec', 'web', '--', 'echo', 'a b', '-n']), {
        code: 0,
        out: 'echo a b -n',
        error: '',
      })
      assert.match(
        requests.find(line => line.startsWith('UPGRADE')) ?? '',
        /\/pods\/web\/exec\?container=c&command=echo&command=a\+b&command=-n&stdout=true&stderr=true Bearer secret$/,
      )
      assert.is((await orchctl(['exec', '-i', 'pod/web', '--', 'cat'], 'typed')).out, 'typed')
      assert.equal(await orchctl(['exec', 'web', '--', 'fails']), {
        code: 7,
        out: '',
        error: 'no such thing\ncommand terminated with exit code 7\n',
      })
      assert.is((await orchctl(['exec', 'web', '-c', 'other', '--', 'x'])).code, 1)
      assert.is((await orchctl(['exec', 'web'])).code, 2)
    },
  ),
)

streams('attaches to a running process, and returns its exit code', () =>
  withPod(
    (_, socket) => {
      socket.send(frame(1, 'log so far\n'))
      socket.on('message', data => {
        if (data[0] === 0) socket.send(frame(1, data.subarray(1)))
        if (data[0] !== 255) return
        socket.send(frame(3, failed(4)))
        socket.close()
      })
    },
    async ({ orchctl, requests }) => {
      const { code, out } = await orchctl(['attach', '-i', 'web', '-c', 'c'], 'typed')
      assert.equal([code, out], [4, 'log so far\ntyped'])
      assert.match(
        requests.find(line => line.startsWith('UPGRADE')) ?? '',
        /\/pods\/web\/attach\?container=c&stdin=true&stdout=true&stderr=true Bearer secret$/,
      )
      assert.is((await orchctl(['attach', 'web', '-c', 'other'])).code, 1)
      assert.is((await orchctl(['attach'])).code, 2)
    },
  ),
)

streams('copies files to and from a container with tar', () => {
  const folder = temporaryFolder()
  return withPod(
    ({ searchParams }, socket) => {
      // A container that uses the files of this machine.
      const [command = '', ...args] = searchParams.getAll('command')
      const child = spawn(command, args)
      child.stdout.on('data', data => socket.send(frame(1, data)))
      child.stderr.on('data', data => socket.send(frame(2, data)))
      socket.on('message', data => {
        if (data[0] === 0) child.stdin.write(data.subarray(1))
        if (data[0] === 255) child.stdin.end()
      })
      child.on('close', code => {
        socket.send(frame(3, code === 0 ? '{"status":"Success"}' : failed(code ?? 1)))
        socket.close()
      })
    },
    async ({ orchctl }) => {
      const file = folder.write('a.txt', 'hello')
      mkdirSync(`${folder.path}/there`)
      assert.equal(await orchctl(['cp', file, `web:${folder.path}/there/b.txt`]), { code: 0, out: '', error: '' })
      assert.is(readFileSync(`${folder.path}/there/b.txt`, 'utf8'), 'hello')
      await orchctl(['cp', file, `web:${folder.path}/there`])
      assert.ok(existsSync(`${folder.path}/there/a.txt`), 'into a folder under its own name')
      assert.is((await orchctl(['cp', `default/web:${folder.path}/there`, `${folder.path}/back`])).code, 0)
      assert.is(readFileSync(`${folder.path}/back/b.txt`, 'utf8'), 'hello')
      assert.is((await orchctl(['cp', 'a', 'b'])).code, 2)
      folder.remove()
    },
  )
})

streams('forwards ports', () =>
  withPod(
    ({ searchParams }, socket) => {
      const port = Buffer.alloc(2)
      port.writeUInt16LE(Number(searchParams.get('ports')))
      socket.send(frame(0, port))
      socket.send(frame(1, port))
      socket.on('message', data => socket.send(frame(0, `echo ${data.subarray(1)}`)))
    },
    async ({ orchctl, requests }) => {
      const stop = new AbortController()
      const { line, running } = await firstLine(
        orchctl,
        ['port-forward', 'web', ':http', '--address=127.0.0.1'],
        stop.signal,
      )
      const port = Number(/^Forwarding from 127\.0\.0\.1:(\d+) -> 80\n$/.exec(line)?.[1])
      const socket = connect(port, '127.0.0.1')
      socket.write('hello')
      const answer = await new Promise<Buffer>(resolve => socket.once('data', resolve))
      assert.is(String(answer), 'echo hello')
      socket.destroy()
      stop.abort()
      await running
      assert.ok(requests.some(each => each.includes('/pods/web/portforward?ports=80')))
    },
  ),
)

streams('proxies with the credentials of the client, only for local clients', () =>
  withPod(
    () => {},
    async ({ orchctl, requests }) => {
      const folder = temporaryFolder()
      folder.write('index.html', '<p>')
      const stop = new AbortController()
      const { line, running } = await firstLine(orchctl, ['proxy', '--port=0', '--www', folder.path], stop.signal)
      const url = `http://${/^Starting to serve on (127\.0\.0\.1:\d+)\n$/.exec(line)?.[1]}`
      const status = async (path: string, headers: Record<string, string> = {}) => {
        return new Promise<number>(resolve => {
          request(`${url}${path}`, { headers }, answer => {
            answer.resume()
            resolve(answer.statusCode ?? 0)
          }).end()
        })
      }
      assert.equal(await (await fetch(`${url}/api`)).json(), { versions: ['v1'] })
      assert.ok(requests.includes('GET /api Bearer secret'))
      assert.is(await status('/nothing'), 404)
      assert.is(await status('/api', { host: 'evil.test' }), 403, 'a page of another site that points its name here')
      assert.is(await status('/api/v1/namespaces/default/pods/web/exec'), 403)
      assert.is(await status('/static/'), 200)
      assert.is(await status('/static/../../etc/passwd'), 404)
      stop.abort()
      await running
      folder.remove()
    },
  ),
)

type Orchctl = (
  args: string[],
  input?: string,
  signal?: AbortSignal,
  heard?: (text: string) => void,
) => Promise<unknown>
/** The first line of a long-running command. */
async function firstLine(orchctl: Orchctl, args: string[], signal: AbortSignal) {
  let running: Promise<unknown> = Promise.resolve()
  const line = await new Promise<string>((resolve, reject) => {
    running = orchctl(args, '', signal, resolve)
    running.then(ended => reject(new Error(JSON.stringify(ended))), reject)
  })
  return { line, running }
}

streams.run()
