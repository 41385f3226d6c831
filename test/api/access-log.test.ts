import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { namespaces } from 'orch/plugins/namespaces'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { widgets } from './widgets.js'
import { type ServerUnderTest, withServer } from './with-server.js'

const patienceMs = 60_000

interface Entry {
  readonly time: string
  readonly address: string
  readonly user?: string
  readonly method: string
  readonly uri: string
  readonly code: number
  readonly durationMs: number
  readonly userAgent?: string
  readonly message?: string
}

async function withLog(
  options: object,
  run: (server: ServerUnderTest, entry: (uri: string) => Promise<Entry>, log: () => Entry[]) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder()
  const accessLog = join(folder.path, 'access.log')
  const parse = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Entry)
  let log = ''
  try {
    await withServer(
      { plugins: [widgets, namespaces], options: { accessLog, ...options }, log: line => (log += line) },
      server =>
        run(
          server,
          uri =>
            eventually(
              `the line of ${uri}`,
              () => parse(readFileSync(accessLog, 'utf8')).find(one => one.uri === uri),
              patienceMs,
            ),
          () => parse(log),
        ),
    )
  } finally {
    folder.remove()
  }
}

const access = suite('the access log')

access('has a line for each client request, with its user and its outcome', () =>
  withLog({}, async (server, entry) => {
    await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'n' } })
    await server.ask('POST', server.path, { metadata: { name: 'a' } }, { 'user-agent': 'my-client' })
    await server.ask('GET', `${server.path}/none`)
    await fetch(`${server.baseUrl}${server.path}`, { headers: { authorization: 'Bearer wrong' } })
    const { time, durationMs, ...rest } = await entry(server.path)
    assert.equal(rest, {
      address: '127.0.0.1',
      user: 'test-administrator',
      method: 'POST',
      uri: server.path,
      code: 201,
      userAgent: 'my-client',
    })
    assert.match(time, /^\d{4}-/)
    assert.ok(durationMs > 0)
    assert.is((await entry(`${server.path}/none`)).code, 404)
  }),
)

access('hides the values of parameters that sound like credentials, however their names are spelled', () =>
  withLog({}, async (server, entry) => {
    await server.ask('GET', '/version?a=1&access_token=s3cret&%74oken=s3cret&continue=c')
    const { uri } = await entry('/version?a=1&access_token=[hidden]&%74oken=[hidden]&continue=c')
    assert.not.match(uri, /s3cret/)
  }),
)

access('has the line of a watch when it ends', () =>
  withLog({}, async (server, entry) => {
    const path = `${server.path}?watch=true&timeoutSeconds=1`
    await server.ask('GET', path)
    const { code, durationMs } = await entry(path)
    assert.is(code, 200)
    assert.ok(durationMs > 500)
  }),
)

access('--v 3 shows requests of clients in the log, --v 5 those of the server itself as well', async () => {
  for (const [v, ofClients, own] of [
    [0, 0, 0],
    [3, 1, 0],
    [5, 1, 1],
  ] as const)
    await withLog({ v }, async (server, _, log) => {
      await server.ask('GET', '/version')
      const lines = () => log().filter(({ message }) => message === 'request')
      if (ofClients) await eventually('the line', () => lines().some(({ uri }) => uri === '/version'), patienceMs)
      const owns = lines().filter(({ userAgent }) => userAgent?.startsWith('orch-'))
      assert.is(Math.min(owns.length, 1), own)
      assert.is(lines().filter(({ uri }) => uri === '/version').length, ofClients)
    })
})

access.run()
