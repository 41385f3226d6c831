import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { selfSignedServer, testAuthority } from '../testing/test-certificates.js'
import type { Transport } from './client.js'
import { createClient } from './create-client.js'
import type { Credential } from './credentials.js'
import { ConnectionError } from './error-answers.js'
import { type HttpTransportConfig, httpTransport } from './http-transport.js'

const bodyOf = async (response: Awaited<ReturnType<Transport>>) => {
  let text = ''
  for await (const chunk of response.body) text += chunk
  // The connection becomes reusable one turn of the event loop after its body has ended.
  await new Promise(resolve => setImmediate(resolve))
  return text
}
const get = { method: 'GET', path: '/x', headers: {} }

/** Runs a test against a server on a free port, and closes both sides. */
async function withServer(
  server: Server,
  config: Omit<HttpTransportConfig, 'server'>,
  test: (transport: ReturnType<typeof httpTransport>, url: string) => Promise<void>,
) {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const scheme = 'setSecureContext' in server ? 'https' : 'http'
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
  const transport = httpTransport({ server: url, ...config })
  try {
    await test(transport, url)
  } finally {
    await transport.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
}
const echo: RequestListener = (request, response) => {
  const headers: Record<string, string[]> = {}
  for (let i = 0; i < request.rawHeaders.length; i += 2)
    (headers[request.rawHeaders[i]!.toLowerCase()] ??= []).push(request.rawHeaders[i + 1]!)
  response.end(JSON.stringify({ url: request.url, headers }))
}
const whoIs: RequestListener = (request, response) => {
  const { subject } = (request.socket as TLSSocket).getPeerCertificate()
  response.end(String(subject?.CN ?? 'nobody'))
}

const http = suite('HTTP transport')

http('requests share kept connections', async () => {
  const server = createServer((_, response) => response.end('ok'))
  let connections = 0
  server.on('connection', () => connections++)
  await withServer(server, {}, async transport => {
    for (let i = 0; i < 5; i++) assert.is(await bodyOf(await transport(get)), 'ok')
    assert.is(connections, 1)
  })
})

http('sends token, impersonation and the path as it is', async () => {
  const config: Omit<HttpTransportConfig, 'server'> = {
    credentials: { token: 'secret' },
    impersonate: { user: 'jane', uid: '7', groups: ['a', 'b'], extra: { 'acme.test/x%': ['1', '2'] } },
  }
  await withServer(createServer(echo), config, async (_, url) => {
    const prefixed = httpTransport({ server: `${url}/clusters/one/`, ...config })
    const { url: path, headers } = JSON.parse(await bodyOf(await prefixed({ ...get, path: '/api/../x?a=%2F' })))
    await prefixed.close()
    assert.is(path, '/clusters/one/api/../x?a=%2F')
    assert.equal(headers.authorization, ['Bearer secret'])
    assert.equal(headers['impersonate-user'], ['jane'])
    assert.equal(headers['impersonate-uid'], ['7'])
    assert.equal(headers['impersonate-group'], ['a', 'b'])
    assert.equal(headers['impersonate-extra-acme.test%2fx%25'], ['1', '2'])
  })
})

http('sends user and password', async () => {
  await withServer(
    createServer(echo),
    { credentials: { basic: { username: 'u', password: 'p' } } },
    async transport => {
      const { headers } = JSON.parse(await bodyOf(await transport(get)))
      assert.equal(headers.authorization, [`Basic ${Buffer.from('u:p').toString('base64')}`])
    },
  )
})

http('trusts the given authority and no other', async () => {
  const authority = await testAuthority()
  const { certificatePem: cert, keyPem: key } = await authority.server()
  const server = createTlsServer({ cert, key }, (_, response) => response.end('ok'))
  await withServer(server, { caPem: authority.caPem }, async (transport, url) => {
    assert.is(await bodyOf(await transport(get)), 'ok')
    const stranger = httpTransport({ server: url, caPem: (await testAuthority('other')).caPem })
    let error: unknown
    await stranger(get).catch(thrown => {
      error = thrown
    })
    await stranger.close()
    assert.instance(error, ConnectionError)
    const careless = httpTransport({ server: url, skipTlsVerify: true })
    assert.is(await bodyOf(await careless(get)), 'ok')
    await careless.close()
  })
})

for (const [title, keys] of Object.entries({
  'issued by an unlisted authority': async () => (await testAuthority()).server(),
  'that is self-signed': () => selfSignedServer(),
}))
  http(`trusts a serving certificate ${title} when it is the one given, and no other`, async () => {
    const { certificatePem: cert, keyPem: key } = await keys()
    const server = createTlsServer({ cert, key }, (_, response) => response.end('ok'))
    await withServer(server, { caPem: cert }, async (transport, url) => {
      assert.is(await bodyOf(await transport(get)), 'ok')
      const stranger = httpTransport({ server: url, caPem: (await keys()).certificatePem })
      const refused = await stranger(get).catch(thrown => thrown)
      await stranger.close()
      assert.instance(refused, ConnectionError)
      const elsewhere = httpTransport({ server: url, caPem: cert, serverName: 'elsewhere.test' })
      const misnamed = await elsewhere(get).catch(thrown => thrown)
      await elsewhere.close()
      assert.instance(misnamed, ConnectionError)
    })
  })

http('a changed client certificate forces a new handshake, the same one does not', async () => {
  const authority = await testAuthority()
  const { certificatePem: cert, keyPem: key } = await authority.server()
  const identity = async (user: string): Promise<Credential> => {
    const pair = await authority.client(user)
    return { clientCertificatePem: pair.certificatePem, clientKeyPem: pair.keyPem }
  }
  let credential = await identity('jane')
  const server = createTlsServer({ cert, key, ca: authority.caPem, requestCert: true }, whoIs)
  let handshakes = 0
  server.on('secureConnection', () => handshakes++)
  const credentials = { current: async () => credential, refused: async () => false }
  await withServer(server, { caPem: authority.caPem, credentials }, async transport => {
    assert.is(await bodyOf(await transport(get)), 'jane')
    assert.is(await bodyOf(await transport(get)), 'jane')
    assert.is(handshakes, 1)
    credential = await identity('joe')
    assert.is(await bodyOf(await transport(get)), 'joe')
    assert.is(handshakes, 2)
  })
})

http('tunnels through a proxy, which cannot see the request', async () => {
  const authority = await testAuthority()
  const { certificatePem: cert, keyPem: key } = await authority.server()
  const tunnels: string[] = []
  const proxy = createServer((_, response) => response.writeHead(500).end())
  proxy.on('connect', (request, socket: Socket) => {
    tunnels.push(request.url ?? '')
    const [host, port] = (request.url ?? '').split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const end of [socket, target]) end.on('error', () => socket.destroy())
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const server = createTlsServer({ cert, key }, (_, response) => response.end('ok'))
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  try {
    await withServer(server, { caPem: authority.caPem, proxyUrl }, async (transport, url) => {
      assert.is(await bodyOf(await transport(get)), 'ok')
      assert.equal(tunnels, [new URL(url).host])
    })
  } finally {
    proxy.closeAllConnections()
    await new Promise(resolve => proxy.close(resolve))
  }
})

http('asks for a new credential once after a 401', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(request.headers.authorization === 'Bearer new' ? 200 : 401).end()
  })
  let token = 'old'
  const credentials = {
    current: async () => ({ token }),
    async refused(credential: Credential) {
      if (credential.token === 'never') return true
      token = 'new'
      return true
    },
  }
  await withServer(server, { credentials }, async transport => {
    assert.is((await transport({ ...get, method: 'POST', body: '{}' })).status, 200)
    assert.equal(seen, ['Bearer old', 'Bearer new'])
    token = 'never'
    assert.is((await transport(get)).status, 401)
    assert.is(seen.length, 4)
  })
})

http('a watch delivers events as they arrive and can be cancelled', async () => {
  let send: (line: string) => void = () => {}
  let closed = false
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    send = line => response.write(line)
    response.on('close', () => {
      closed = true
    })
    send('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n{"type":"MODI')
  })
  await withServer(server, {}, async transport => {
    const things = createClient({ transport }).resource({ group: '', version: 'v1', resource: 'things' })
    const heard: string[] = []
    for await (const event of things.watch()) {
      heard.push(event.type)
      if (heard.length === 1) send('FIED","object":{"metadata":{"name":"a"}}}\n')
      if (heard.length === 2) break
    }
    assert.equal(heard, ['ADDED', 'MODIFIED'])
    for (let i = 0; i < 100 && !closed; i++) await new Promise(resolve => setTimeout(resolve, 5))
    assert.ok(closed, 'the server notices that the client disconnected')
  })
})

http('a broken connection is a ConnectionError, before and during the response', async () => {
  let attempts = 0
  const server = createServer((request, response) => {
    attempts++
    if (request.url === '/inside') response.write('{"a":', () => request.socket.destroy())
    else request.socket.destroy()
  })
  await withServer(server, {}, async transport => {
    const client = createClient({ transport, retries: { lost: 1 } })
    const fail = async (method: string, path: string) => {
      attempts = 0
      const error = await client.request({ method, path, headers: {} }).then(
        () => undefined,
        thrown => thrown,
      )
      assert.instance(error, ConnectionError)
      return attempts
    }
    assert.is(await fail('GET', '/before'), 2)
    assert.is(await fail('POST', '/before'), 1)
    assert.is(await fail('POST', '/inside'), 1)
  })
})

http('an unreachable server is a ConnectionError that names it', async () => {
  const transport = httpTransport({ server: 'http://127.0.0.1:1' })
  const error = await transport(get).then(
    () => undefined,
    thrown => thrown,
  )
  await transport.close()
  assert.instance(error, ConnectionError)
  assert.match(error.message, 'http://127.0.0.1:1')
  assert.is(error.code, 503)
})

http('an aborted request ends with the reason', async () => {
  await withServer(
    createServer(() => {}),
    {},
    async transport => {
      const abort = new AbortController()
      const pending = transport({ ...get, signal: abort.signal }).then(
        () => undefined,
        thrown => thrown,
      )
      setTimeout(() => abort.abort(new Error('enough')), 20)
      assert.is((await pending).message, 'enough')
    },
  )
})
http.run()
