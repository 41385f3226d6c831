import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RawAnswer, RawConnection } from '../fuzz/raw-connection.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Request heads that a server and a proxy in front of it could interpret differently, or that Node parses only in part. */

const folder = temporaryFolder()
let server: RunningServer

const heads = suite('heads of requests')
heads.before(async () => {
  writeFileSync(join(folder.path, 'tokens.csv'), 'root,root,1,"system:masters"\nalice,alice,2\n')
  server = await startOrch({
    flags: ['--tls=false', '--max-request-head-bytes=32768', '--token-auth-file', join(folder.path, 'tokens.csv')],
  })
})
heads.after(async () => {
  await server.stop()
  folder.remove()
})

async function send(text: string): Promise<RawAnswer> {
  const connection = new RawConnection(server.url)
  try {
    return await connection.exchange(Buffer.from(text, 'latin1'))
  } finally {
    connection.close()
  }
}
const usual = ['Host: x', 'Authorization: Bearer root']
const head = (line: string, headers: readonly string[], body = '') =>
  `${line} HTTP/1.1\r\n${headers.map(each => `${each}\r\n`).join('')}\r\n${body}`
const statusOf = ({ body }: RawAnswer) => JSON.parse(body.toString()) as Record<string, unknown>
const many = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: y`)
const mayI = '{"spec":{"resourceAttributes":{"verb":"get","resource":"secrets","namespace":"default"}}}'

heads('200 headers are all read', async () => {
  const path = '/apis/authorization.orch.io/v1/selfsubjectaccessreviews'
  const ask = (headers: string[]) =>
    send(head(`POST ${path}`, [...headers, `Content-Length: ${mayI.length}`, 'Content-Type: application/json'], mayI))
  const asRoot = await ask(usual)
  assert.equal([asRoot.status, (statusOf(asRoot)['status'] as { allowed: boolean }).allowed], [201, true])
  const asAlice = await ask([...usual, ...many(195), 'Impersonate-User: alice'])
  assert.equal([asAlice.status, (statusOf(asAlice)['status'] as { allowed: boolean }).allowed], [201, false])
})

interface Case {
  readonly sent: string
  readonly status: number
}
const chunked = '2\r\n{}\r\n0\r\n\r\n'
const post = (headers: string[], body = chunked) => head('POST /api/v1/namespaces', [...usual, ...headers], body)
const cases: Record<string, Case> = {
  'one header more is rejected': { sent: head('GET /version', [...usual, ...many(199)]), status: 431 },
  'impersonation after too many headers is not ignored': {
    sent: head('GET /version', [...usual, ...many(1000), 'Impersonate-User: alice']),
    status: 431,
  },
  'a head that is too large is a 431': {
    sent: head('GET /version', [...usual, `X: ${'x'.repeat(40_000)}`]),
    status: 431,
  },
  'a list of transfer codings': { sent: post(['Transfer-Encoding: identity, chunked']), status: 501 },
  'a compressed transfer': { sent: post(['Transfer-Encoding: gzip, chunked']), status: 501 },
  'an unknown transfer coding': { sent: post(['Transfer-Encoding: fly, chunked']), status: 501 },
  'two transfer codings': { sent: post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']), status: 400 },
  'a transfer coding that is not the last': { sent: post(['Transfer-Encoding: chunked, identity']), status: 400 },
  'a transfer coding in HTTP/1.0': {
    sent: post(['Transfer-Encoding: chunked']).replace('HTTP/1.1', 'HTTP/1.0'),
    status: 400,
  },
  'a length in addition to a transfer coding': {
    sent: post(['Content-Length: 2', 'Transfer-Encoding: chunked']),
    status: 400,
  },
  'two lengths': { sent: post(['Content-Length: 2', 'Content-Length: 2'], '{}'), status: 400 },
  'a list of lengths': { sent: post(['Content-Length: 2, 2'], '{}'), status: 400 },
  'two hosts': { sent: head('GET /version', [...usual, 'Host: y']), status: 400 },
  'no host': { sent: head('GET /version', ['Authorization: Bearer root']), status: 400 },
  'two credentials': { sent: head('GET /version', [...usual, 'Authorization: Bearer alice']), status: 400 },
  'two media types': {
    sent: post(['Content-Type: application/json', 'content-type: application/yaml', 'Content-Length: 2'], '{}'),
    status: 400,
  },
  'two users to impersonate': {
    sent: head('GET /version', [...usual, 'Impersonate-User: alice', 'IMPERSONATE-USER: bob']),
    status: 400,
  },
  'a user to impersonate, mistyped': { sent: head('GET /version', [...usual, 'Impersonate-Usr: alice']), status: 400 },
  'two groups to impersonate are two groups': {
    sent: head('GET /version', [...usual, 'Impersonate-User: alice', 'Impersonate-Group: a', 'Impersonate-Group: b']),
    status: 200,
  },
  'an unknown expectation': { sent: head('GET /version', [...usual, 'Expect: wonders']), status: 417 },
  'an unknown method': { sent: head('FOO /version', usual), status: 405 },
  'a method in lower case': { sent: head('get /version', usual), status: 405 },
  'a method that is not allowed here': { sent: head('PURGE /api/v1/namespaces/default', usual), status: 405 },
  'a tunnel': { sent: head('CONNECT example.com:443', usual), status: 405 },
  'two dots for a name': { sent: head('GET /api/v1/namespaces/default/configmaps/%2e%2e', usual), status: 400 },
  'two dots for a namespace': { sent: head('GET /api/v1/namespaces/../configmaps', usual), status: 400 },
  'a slash for a name': { sent: head('GET /api/v1/namespaces/default/configmaps/%2f', usual), status: 404 },
  'no method at all': { sent: '/version\r\n\r\n', status: 400 },
}
for (const [title, { sent, status }] of Object.entries(cases))
  heads(`${title}: ${status}`, async () => {
    const answer = await send(sent)
    assert.is(answer.status, status, answer.body.toString())
    if (status < 400) return
    assert.is(answer.contentType, 'application/json')
    const { kind, status: outcome, code, message } = statusOf(answer)
    assert.equal([kind, outcome, code], ['Status', 'Failure', status])
    assert.ok(message)
  })

heads.run()
