import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { findProgram } from '../support/find-program.js'
import { Http2Client, type Http2Question } from '../support/http2-client.js'
import { widgets } from './widgets.js'

const maps = '/api/v1/namespaces/default/configmaps'
const patientMs = 60_000
const json = { 'content-type': 'application/json' }
const mapOf = (name: string, data: Record<string, string> = {}): Http2Question => ({
  headers: json,
  body: JSON.stringify({ metadata: { name }, data }),
})

let server: TestServer
let client: Http2Client
const http2 = suite('HTTP/2')
http2.before(async () => {
  server = await startServer({
    tls: true,
    options: { maxRequestBodyBytes: 200_000, maxRequestHeadBytes: 32_768, controllers: ['-*'] },
  })
  client = new Http2Client(server.baseUrl, { token: server.token })
})
http2.after(async () => {
  client.close()
  await server.stop()
})

/** The protocol that a server selects from those that a client offers. */
async function chosen(url: string, offered: string[]): Promise<string | false | null> {
  const { hostname: host, port } = new URL(url)
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: offered })
  await once(socket, 'secureConnect')
  socket.destroy()
  return socket.alpnProtocol
}

http2('is negotiated with clients that support it, unless it is disabled', async () => {
  assert.is(await chosen(server.baseUrl, ['h2', 'http/1.1']), 'h2')
  assert.is(await chosen(server.baseUrl, ['http/1.1']), 'http/1.1')
  const old = await startServer({ tls: true, plugins: [widgets], options: { disableHttp2Serving: true } })
  try {
    assert.is(await chosen(old.baseUrl, ['h2', 'http/1.1']), 'http/1.1')
  } finally {
    await old.stop()
  }
})

const curl = findProgram('curl')
if (curl === undefined) console.log('SKIP curl is not installed')
else
  http2('curl reads and writes, with and without it', async () => {
    const write = ['-w', '\n%{http_version} %{http_code}', '-sk', '-H', `Authorization: Bearer ${server.token}`]
    for (const [flag, version] of Object.entries({ '--http2': '2', '--http1.1': '1.1' })) {
      const run = async (...words: string[]) => (await promisify(execFile)(curl, [...write, flag, ...words])).stdout
      assert.match(await run(`${server.baseUrl}/version`), `\n${version} 200`)
      const body = JSON.stringify({ metadata: { name: `by-curl-${version}` }, data: { text: 'x'.repeat(100_000) } })
      // curl waits for a 100 before it sends the body.
      const headers = ['-H', 'Content-Type: application/json', '-H', 'Expect: 100-continue']
      assert.match(await run('-X', 'POST', ...headers, '-d', body, `${server.baseUrl}${maps}`), `\n${version} 201`)
    }
  })

http2('responses have the same headers as over HTTP/1.1, without connection headers', async () => {
  const { status, headers } = await client.ask('GET', '/openapi/v2')
  assert.is(status, 200)
  for (const name of ['connection', 'keep-alive', 'transfer-encoding']) assert.not.ok(name in headers, name)
  assert.ok(headers['date'] && headers['etag'])
  const known = await client.ask('GET', '/openapi/v2', { headers: { 'if-none-match': headers['etag'] as string } })
  assert.equal([known.status, known.text], [304, ''])
  const [whole, head] = [await client.ask('GET', '/apis'), await client.ask('HEAD', '/apis')]
  assert.equal([head.status, head.text], [200, ''])
  assert.is(head.headers['content-length'], whole.headers['content-length'])
})

http2('large responses are compressed for clients that accept it', async () => {
  const plain = await client.ask('GET', '/openapi/v2')
  const gzipped = await client.ask('GET', '/openapi/v2', { headers: { 'accept-encoding': 'gzip' } })
  assert.equal([plain.headers['content-encoding'], gzipped.headers['content-encoding']], [undefined, 'gzip'])
  assert.ok(gunzipSync(gzipped.bytes).equals(plain.bytes))
})

http2('bodies may be larger than a window, but not than the limit; trailers are ignored', async () => {
  const trailers = { 'impersonate-user': 'nobody' }
  const large = await client.ask('POST', maps, { ...mapOf('large', { text: 'x'.repeat(150_000) }), trailers })
  assert.is(large.status, 201)
  for (const bytes of [300_000, 3_000_000]) {
    const { status, text } = await client.ask('POST', maps, mapOf('larger', { text: 'x'.repeat(bytes) }))
    assert.equal([status, JSON.parse(text).reason], [413, 'RequestEntityTooLarge'])
  }
  const { status, headers } = await client.ask('POST', maps, {
    ...mapOf('x', { text: 'x'.repeat(300_000) }),
    headers: { authorization: 'Bearer nobody' },
  })
  assert.equal(
    [status, headers['content-type']],
    [401, 'application/json'],
    'the body of an unauthenticated request is not read',
  )
  assert.is((await client.ask('GET', `${maps}/large`)).status, 200, 'the connection goes on')
})

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, 'y']))
const heads: Record<string, { status: number; method?: string; path?: string; headers?: Http2Question['headers'] }> = {
  '200 headers are all read': { status: 403, headers: { ...many(197), 'impersonate-user': 'alice' } },
  'one header more is rejected': { status: 431, headers: many(200) },
  'a head that is too large is a 431': { status: 431, headers: { x: 'x'.repeat(40_000) } },
  'another host than that of the address': { status: 400, headers: { ':authority': 'here', host: 'elsewhere' } },
  'two users to impersonate': { status: 400, headers: { 'impersonate-user': ['alice', 'bob'] } },
  'a user to impersonate, mistyped': { status: 400, headers: { 'impersonate-usr': 'alice' } },
  'an unknown expectation': { status: 417, headers: { expect: 'wonders' } },
  'an unknown method': { status: 405, method: 'FOO' },
  'a method in lower case': { status: 405, method: 'get' },
  'a method that is not allowed here': { status: 405, method: 'PURGE' },
  'two dots for a namespace': { status: 400, path: '/api/v1/namespaces/../configmaps' },
  'a path with invalid percent-encoding': { status: 400, path: '/api/v1/namespaces/%zz' },
  'OPTIONS is answered as over HTTP/1.1': { status: 405, method: 'OPTIONS' },
}
for (const [title, { status, method = 'GET', path = maps, headers = {} }] of Object.entries(heads))
  http2(`${title}: ${status}`, async () => {
    const answer = await client.ask(method, path, { headers })
    assert.is(answer.status, status, answer.text.slice(0, 500))
    const { kind, code, message } = JSON.parse(answer.text)
    assert.equal([kind, code], ['Status', status])
    assert.ok(message)
  })

http2('every stream is authenticated by the client certificate, and may impersonate another user', async () => {
  const { clientConfig } = await server.addUser({ name: 'jörg', by: 'certificate' })
  const { clientCertificatePem: cert, clientKeyPem: key } = clientConfig.credentials as Record<string, string>
  const jörg = new Http2Client(server.baseUrl, { cert, key })
  try {
    const answers = await Promise.all([jörg.ask('GET', maps), jörg.ask('GET', maps)])
    for (const { status, text } of answers) {
      assert.is(status, 403)
      assert.match(JSON.parse(text).message, 'User "jörg" cannot list')
    }
  } finally {
    jörg.close()
  }
  const name = Buffer.from('Çelik').toString('latin1')
  const asOther = await client.ask('GET', maps, { headers: { 'impersonate-user': name } })
  assert.match(JSON.parse(asOther.text).message, 'User "Çelik" cannot list')
})

http2('a thousand watches on one connection get every event', async () => {
  const received = Array.from({ length: 1000 }, () => '')
  const watches = received.map((_, at) => {
    const stream = client.open('GET', `${maps}?watch=1&resourceVersion=0&fieldSelector=metadata.name=seen-by-all`)
    stream.setEncoding('utf8').on('data', text => (received[at] += text))
    return stream
  })
  await Promise.all(watches.map(watch => once(watch, 'response')))
  const events = (text: string) => text.split('\n').filter(line => line !== '')
  const haveAll = (seen: number) =>
    eventually(`${seen} events at each`, () => received.slice(1).every(text => events(text).length === seen), patientMs)
  // The stream limit equals the number of watches: one is closed for the requests that follow.
  watches[0]?.close()
  // Since Node 24 a stream counts until the server has received its reset. Go clients wait for a ping in the same way.
  await new Promise(resolve => client.session.ping(resolve))
  assert.is((await client.ask('POST', maps, mapOf('seen-by-all'))).status, 201)
  await haveAll(1)
  assert.is((await client.ask('DELETE', `${maps}/seen-by-all`)).status, 200)
  await haveAll(2)
  assert.equal(
    events(received[500] ?? '').map(line => JSON.parse(line).type),
    ['ADDED', 'DELETED'],
  )
  for (const watch of watches) watch.close()
})

http2.run()
