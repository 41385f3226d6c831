import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { withoutTrailing } from 'orch/sdk/files'
import { RE2JS } from 're2js'
import type { Call, Command } from '../command.js'
import { UsageError } from '../usage-error.js'

const defaults = {
  port: 8001,
  address: '127.0.0.1',
  'accept-hosts': '^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$',
  'accept-paths': '^.*',
  'reject-paths': '^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach',
  'reject-methods': '^$',
}

export const proxy: Command = {
  name: 'proxy',
  summary: 'Run a local proxy to the server that uses your credentials, until Ctrl-C.',
  usage: '[--port N] [flags]',
  examples: [
    ['Then curl http://127.0.0.1:8001/api', 'proxy'],
    ['Any free port', 'proxy --port=0'],
    ['With files of a folder under /static/', 'proxy --www=site'],
  ],
  flags: [
    {
      name: 'port',
      short: 'p',
      kind: 'text',
      value: 'N',
      description: `port to listen at (${defaults.port}); 0 for any`,
    },
    { name: 'address', kind: 'text', value: 'IP', description: `address to listen at (${defaults.address})` },
    { name: 'unix-socket', short: 'u', kind: 'text', value: 'PATH', description: 'a socket to listen at instead' },
    { name: 'api-prefix', kind: 'text', value: 'PATH', description: 'path under which the API is served (/)' },
    {
      name: 'append-server-path',
      kind: 'switch',
      description: 'prepend the path of the server address to every path (always)',
    },
    { name: 'www', short: 'w', kind: 'text', value: 'FOLDER', description: 'also serve the files of this folder' },
    {
      name: 'www-prefix',
      short: 'P',
      kind: 'text',
      value: 'PATH',
      description: 'path under which these files are served (/static/)',
    },
    {
      name: 'accept-hosts',
      kind: 'text',
      value: 'PATTERNS',
      description: 'Host headers to accept, as regular expressions',
    },
    { name: 'accept-paths', kind: 'text', value: 'PATTERNS', description: 'paths to accept' },
    {
      name: 'reject-paths',
      kind: 'text',
      value: 'PATTERNS',
      description: 'paths to reject; exec and attach by default',
    },
    { name: 'reject-methods', kind: 'text', value: 'PATTERNS', description: 'methods to reject: POST,PUT,PATCH' },
    { name: 'disable-filter', kind: 'switch', description: 'accept everything; dangerous if others reach this port' },
    { name: 'keepalive', kind: 'text', value: 'TIME', description: 'how often idle connections are probed' },
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal } = call
    const isAllowed = filterOf(call)
    const prefix = `${withoutTrailing(flags.text('api-prefix') ?? '/', '/')}/`
    const wwwPrefix = `${withoutTrailing(flags.text('www-prefix') ?? '/static/', '/')}/`
    const folder = flags.text('www')
    const session = await call.session()
    const server = createServer((request, response) => {
      const url = request.url ?? '/'
      const path = url.split('?')[0] ?? '/'
      if (!isAllowed(request, path)) return refuse(response, 403, 'Forbidden')
      if (folder !== undefined && path.startsWith(wwwPrefix))
        return sendFile(response, folder, path.slice(wwwPrefix.length))
      if (!path.startsWith(prefix)) return refuse(response, 404, 'Not Found')
      forward(session, request, response, `/${url.slice(prefix.length)}`).catch(error => {
        if (response.headersSent) response.destroy()
        else refuse(response, 502, `Bad Gateway: ${(error as Error).message}`)
      })
    })
    const keepAliveMs = flags.durationMs('keepalive')
    if (keepAliveMs !== undefined) server.on('connection', socket => socket.setKeepAlive(keepAliveMs > 0, keepAliveMs))
    const socketPath = flags.text('unix-socket')
    await new Promise<void>((resolve, reject) => {
      server.once('error', error => reject(new Error(`cannot listen: ${error.message}`)))
      if (socketPath !== undefined) server.listen(socketPath, resolve)
      else server.listen(flags.number('port') ?? defaults.port, flags.text('address') ?? defaults.address, resolve)
    })
    const bound = server.address()
    const where =
      typeof bound === 'object' && bound
        ? `${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
        : bound
    terminal.write(`Starting to serve on ${where}\n`)
    await new Promise<void>(resolve => terminal.signal.addEventListener('abort', () => resolve(), { once: true }))
    server.closeAllConnections()
    server.close()
  },
}

function patternsOf(
  { flags }: Call,
  name: 'accept-hosts' | 'accept-paths' | 'reject-paths' | 'reject-methods',
): RE2JS[] {
  return (flags.text(name) ?? defaults[name]).split(',').map(text => {
    try {
      return RE2JS.compile(text)
    } catch {
      throw new UsageError(`--${name}: "${text}" is not a regular expression`)
    }
  })
}

/** Decides which requests are forwarded: a page of another site must not use your credentials. */
function filterOf(call: Call): (request: IncomingMessage, path: string) => boolean {
  if (call.flags.is('disable-filter')) {
    call.terminal.log('Warning: the filter is disabled: anyone who can reach this port acts as you')
    return () => true
  }
  const [hosts, paths] = [patternsOf(call, 'accept-hosts'), patternsOf(call, 'accept-paths')]
  const [noPaths, noMethods] = [patternsOf(call, 'reject-paths'), patternsOf(call, 'reject-methods')]
  // The text comes from the network, so matching must take linear time.
  const isOne = (patterns: readonly RE2JS[], text: string) => patterns.some(pattern => pattern.matcher(text).find())
  return ({ method = '', headers }, path) => {
    const host = (headers.host ?? '').replace(/:\d+$/, '')
    const decoded = decodedPath(path)
    return isOne(hosts, host) && isOne(paths, decoded) && !isOne(noPaths, decoded) && !isOne(noMethods, method)
  }
}

async function forward(
  session: Awaited<ReturnType<Call['session']>>,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const stop = new AbortController()
  response.on('close', () => stop.abort())
  const kept = ['accept', 'content-type', 'user-agent', 'if-none-match', 'if-match']
  const headers = Object.fromEntries(
    kept.flatMap(name => (request.headers[name] ? [[name, String(request.headers[name])]] : [])),
  )
  const answer = await session.send({
    method: request.method ?? 'GET',
    path,
    headers,
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    signal: stop.signal,
  })
  const dropped = new Set(['connection', 'transfer-encoding', 'keep-alive'])
  response.writeHead(
    answer.status,
    Object.fromEntries(
      Object.entries(answer.headers).filter(([name, value]) => value !== undefined && !dropped.has(name)),
    ),
  )
  // Ends with the connection, which would otherwise never drain.
  for await (const chunk of answer.body)
    if (!response.write(chunk)) await once(response, 'drain', { signal: stop.signal })
  response.end()
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

function sendFile(response: ServerResponse, folder: string, path: string): void {
  const relative = normalize(`/${decodedPath(path)}`)
  const file = join(folder, relative)
  const found = existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file
  if (!existsSync(found) || !statSync(found).isFile()) return refuse(response, 404, 'Not Found')
  response.writeHead(200, { 'content-type': types[extname(found)] ?? 'application/octet-stream' })
  response.end(readFileSync(found))
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
