import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stringify } from 'yaml'
import { orchProfile, Vendor } from '../plugin/vendor.js'
import { fakeClock } from '../testing/fake-clock.js'
import { testAuthority } from '../testing/test-certificates.js'
import { clientFromConfig } from './client-from-config.js'

const vendor = new Vendor({
  ...orchProfile,
  groupDomain: 'acme.test',
  env: { execInfo: 'ACME_EXEC_INFO', clientConfig: 'ACMECONFIG' },
})
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Runs a test with a TLS server, a temp folder, and a client made from a config file with the given user. */
async function withServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  test: (world: {
    folder: string
    authority: Awaited<ReturnType<typeof testAuthority>>
    clock: ReturnType<typeof fakeClock>
    handshakes: () => number
    ask: (user: Record<string, unknown>) => Promise<{ whoAmI(): Promise<string> }>
  }) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'client-from-config-'))
  const authority = await testAuthority()
  const { certificatePem: cert, keyPem: key } = await authority.server()
  const server = createTlsServer(
    { cert, key, ca: authority.caPem, requestCert: true, rejectUnauthorized: false },
    answer,
  )
  let handshakes = 0
  server.on('secureConnection', () => handshakes++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = fakeClock(Date.now())
  const closers: (() => Promise<void>)[] = []
  const ask = async (user: Record<string, unknown>) => {
    const path = join(folder, 'config')
    const config = {
      clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': base64(authority.caPem) } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }
    await writeFile(path, `# kept\n${stringify(config)}`, { mode: 0o600 })
    const client = await clientFromConfig({ vendor, environment: process.env, path, clock, isTerminal: false })
    closers.push(() => client.close())
    return {
      whoAmI: async () => {
        const text = await client.request<string>({ method: 'GET', path: '/', headers: {} })
        await new Promise(resolve => setImmediate(resolve))
        return text
      },
    }
  }
  try {
    await test({ folder, authority, clock, handshakes: () => handshakes, ask })
  } finally {
    for (const close of closers) await close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await rm(folder, { recursive: true })
  }
}
const sayAuthorization = (request: IncomingMessage, response: ServerResponse) =>
  void response.end(request.headers.authorization ?? 'nothing')
const sayCertificate = (request: IncomingMessage, response: ServerResponse) =>
  void response.end(String((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody'))

const configured = suite('client from config')

configured('token, password and impersonation reach the server', async () => {
  const say = (request: IncomingMessage, response: ServerResponse) =>
    void response.end(
      [request.headers.authorization, request.headers['impersonate-user'], request.headers['impersonate-group']].join(
        '|',
      ),
    )
  await withServer(say, async ({ ask }) => {
    assert.is(await (await ask({ token: 't' })).whoAmI(), 'Bearer t||')
    assert.is(await (await ask({ username: 'a', password: 'b' })).whoAmI(), `Basic ${base64('a:b')}||`)
    const acting = await ask({ token: 't', as: 'jane', 'as-groups': ['one', 'two'] })
    assert.is(await acting.whoAmI(), 'Bearer t|jane|one, two')
  })
})

configured('a token file is read again after a while, and at once after a 401', async () => {
  const say = (request: IncomingMessage, response: ServerResponse) =>
    void response
      .writeHead(request.headers.authorization === 'Bearer bad' ? 401 : 200)
      .end(request.headers.authorization)
  await withServer(say, async ({ ask, folder, clock }) => {
    await writeFile(join(folder, 'token'), 'one\n')
    const client = await ask({ tokenFile: 'token' })
    assert.is(await client.whoAmI(), 'Bearer one')
    await writeFile(join(folder, 'token'), 'two\n')
    assert.is(await client.whoAmI(), 'Bearer one')
    await clock.advance(60_000)
    assert.is(await client.whoAmI(), 'Bearer two')
    await writeFile(join(folder, 'token'), 'bad')
    await clock.advance(60_000)
    let code = 0
    await client.whoAmI().catch(error => {
      code = error.code
    })
    assert.is(code, 401)
    await writeFile(join(folder, 'token'), 'three')
    assert.is(await client.whoAmI(), 'Bearer three')
  })
})

configured('client certificates work inline and from files, which may be replaced', async () => {
  await withServer(sayCertificate, async ({ ask, folder, clock, authority, handshakes }) => {
    const jane = await authority.client('jane')
    const inline = await ask({
      'client-certificate-data': base64(jane.certificatePem),
      'client-key-data': base64(jane.keyPem),
    })
    assert.is(await inline.whoAmI(), 'jane')
    await writeFile(join(folder, 'c.pem'), jane.certificatePem)
    await writeFile(join(folder, 'k.pem'), jane.keyPem)
    const fromFiles = await ask({ 'client-certificate': 'c.pem', 'client-key': 'k.pem' })
    assert.is(await fromFiles.whoAmI(), 'jane')
    const before = handshakes()
    const joe = await authority.client('joe')
    await writeFile(join(folder, 'c.pem'), joe.certificatePem)
    await writeFile(join(folder, 'k.pem'), joe.keyPem)
    await clock.advance(60_000)
    assert.is(await fromFiles.whoAmI(), 'joe')
    assert.is(handshakes(), before + 1)
  })
})

configured('a plugin that returns another certificate forces a new handshake', async () => {
  await withServer(sayCertificate, async ({ ask, folder, clock, authority, handshakes }) => {
    const script = `#!${process.execPath}
process.stdout.write(require('fs').readFileSync(${JSON.stringify(join(folder, 'answer'))}))`
    await writeFile(join(folder, 'login'), script)
    await chmod(join(folder, 'login'), 0o755)
    const apiVersion = 'client.authentication.acme.test/v1'
    const answerAs = async (user: string) => {
      const pair = await authority.client(user)
      const status = {
        clientCertificateData: pair.certificatePem,
        clientKeyData: pair.keyPem,
        expirationTimestamp: new Date(clock.now() + 60_000).toISOString(),
      }
      await writeFile(join(folder, 'answer'), JSON.stringify({ kind: 'ExecCredential', apiVersion, status }))
    }
    await answerAs('jane')
    const client = await ask({ exec: { command: './login', apiVersion, interactiveMode: 'Never' } })
    assert.is(await client.whoAmI(), 'jane')
    assert.is(await client.whoAmI(), 'jane')
    assert.is(handshakes(), 1)
    await answerAs('joe')
    await clock.advance(60_000)
    assert.is(await client.whoAmI(), 'joe')
    assert.is(handshakes(), 2)
  })
})

const jwt = (name: string, expiresAtMs: number) =>
  `${base64('{}')}.${Buffer.from(JSON.stringify({ name, exp: Math.floor(expiresAtMs / 1000) })).toString('base64url')}.x`

configured('an OIDC token is refreshed when it expires, and the new one is saved in the file', async () => {
  await withServer(sayAuthorization, async ({ ask, folder, clock }) => {
    const grants: string[] = []
    const fresh = jwt('fresh', clock.now() + 3_600_000)
    const provider = createServer((request, response) => {
      const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
      response.setHeader('content-type', 'application/json')
      if (request.url === '/.well-known/openid-configuration')
        return void response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token` }))
      let body = ''
      request.on('data', chunk => {
        body += chunk
      })
      request.on('end', () => {
        grants.push(`${request.headers.authorization} ${body}`)
        response.end(JSON.stringify({ id_token: fresh, refresh_token: 'next' }))
      })
    })
    await new Promise<void>(resolve => provider.listen(0, '127.0.0.1', resolve))
    try {
      const valid = jwt('valid', clock.now() + 60_000)
      const config = {
        'id-token': valid,
        'refresh-token': 'first',
        'client-id': 'me',
        'client-secret': 's',
        'idp-issuer-url': `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
      }
      const client = await ask({ 'auth-provider': { name: 'oidc', config } })
      assert.is(await client.whoAmI(), `Bearer ${valid}`)
      assert.is(grants.length, 0)
      await clock.advance(55_000)
      const both = await Promise.all([client.whoAmI(), client.whoAmI()])
      assert.equal(both, [`Bearer ${fresh}`, `Bearer ${fresh}`])
      assert.equal(grants, [`Basic ${base64('me:s')} grant_type=refresh_token&refresh_token=first`])
      const saved = await readFile(join(folder, 'config'), 'utf8')
      assert.match(saved, fresh)
      assert.match(saved, 'refresh-token: next')
      assert.match(saved, '# kept')
      assert.is((await stat(join(folder, 'config'))).mode & 0o777, 0o600)
    } finally {
      provider.closeAllConnections()
      await new Promise(resolve => provider.close(resolve))
    }
  })
})
configured('an expired OIDC token cannot be refreshed without a refresh token', async () => {
  await withServer(sayAuthorization, async ({ ask }) => {
    const client = await ask({ 'auth-provider': { name: 'oidc', config: { 'id-token': jwt('old', 0) } } })
    let message = ''
    await client.whoAmI().catch(error => {
      message = error.message
    })
    assert.match(message, 'cannot refresh without refresh-token')
  })
})
configured('names the invalid argument', async () => {
  const vendor = new Vendor(orchProfile)
  const told = (options: unknown) =>
    clientFromConfig(options as never).then(
      () => '',
      (error: Error) => error.message,
    )
  assert.match(await told(undefined), /^vendor must be a Vendor/)
  assert.match(await told({ vendor: orchProfile, environment: {} }), /^vendor must be a Vendor/)
  assert.match(await told({ vendor }), /^environment must be an object/)
  assert.match(await told({ vendor, environment: {}, path: 3 }), /^path must be the path/)
})
configured.run()
