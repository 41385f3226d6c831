import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definePlugin } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { consolePlugin } from './plugin.js'
import { consoleCommand } from './sign-in/console-command.js'
import { OneTimeCodes } from './sign-in/one-time-codes.js'

const pageHeaders = ['content-security-policy', 'x-frame-options', 'x-content-type-options', 'referrer-policy']
const codesIn = (server: TestServer) => OneTimeCodes.in(server.dataDir, Date)
const post = (server: TestServer, path: string, body: string) =>
  fetch(server.baseUrl + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })

/** Serves the routes of these tests. */
const streams = definePlugin({
  name: 'streams',
  register: to =>
    to.route(
      defineRoute({
        path: '/numbers',
        async handle() {
          async function* chunks() {
            for (let at = 0; at < 1000; at++) yield Buffer.from(`${at}\n`.padEnd(1000))
          }
          return { headers: { 'Content-Type': 'text/plain' }, body: chunks() }
        },
      }),
      defineRoute({
        path: '/console/special/*',
        access: 'public',
        handle: ({ path }) => ({ body: `special ${path}` }),
      }),
    ),
})

const served = suite<{ server: TestServer }>('the console is served')
served.before(async context => {
  context.server = await startServer({ plugins: [consolePlugin, streams] })
})
served.after(({ server }) => server.stop())

served('to everybody, with a security policy that allows nothing from elsewhere', async ({ server }) => {
  const answer = await fetch(`${server.baseUrl}/console/`, { headers: { Authorization: 'Bearer of-nobody' } })
  assert.is(answer.status, 200)
  for (const name of pageHeaders) assert.ok(answer.headers.get(name), name)
  assert.is(answer.headers.get('set-cookie'), null)
  const policy = answer.headers.get('content-security-policy') ?? ''
  assert.not(/unsafe|https?:|\*/.test(policy), policy)
  const page = await answer.text()
  assert.not(/<script(?! type="module" src=)|<style|style=|https?:/.test(page), page)
})

served('in files that are cached forever and sent compressed', async ({ server }) => {
  const page = await (await fetch(`${server.baseUrl}/console/`)).text()
  const [, name] = /src="([^"]+)"/.exec(page) ?? []
  const answer = await fetch(`${server.baseUrl}/console/${name}`, { headers: { 'Accept-Encoding': 'br' } })
  assert.is(answer.headers.get('content-encoding'), 'br')
  assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
  const again = await fetch(`${server.baseUrl}/console/${name}`, {
    headers: { 'Accept-Encoding': 'br', 'If-None-Match': answer.headers.get('etag') ?? '' },
  })
  assert.is(again.status, 304)
  assert.is((await fetch(`${server.baseUrl}/console/..%2f..%2fpackage.json`)).status, 404)
})

served('with the name of the vendor', async () => {
  const other = await startServer({ plugins: [consolePlugin], vendor: 'kubernetes' })
  const answer = await fetch(`${other.baseUrl}/console/settings`)
  const { title } = (await answer.json().finally(() => other.stop())) as { title: string }
  assert.is(title, 'Kubernetes')
})

served('a code signs an administrator in, once', async ({ server }) => {
  const code = codesIn(server).issue()
  const answer = await post(server, '/console/sign-in', JSON.stringify({ code }))
  assert.is(answer.headers.get('cache-control'), 'no-store')
  const { token } = (await answer.json()) as { token: string }
  const inventory = await fetch(`${server.baseUrl}/console/inventory`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  assert.is(inventory.status, 200)
  assert.is((await post(server, '/console/sign-in', JSON.stringify({ code }))).status, 401)
  const renewed = (await (await post(server, '/console/renew', JSON.stringify({ token }))).json()) as { token: string }
  assert.is.not(renewed.token, token)
})

const as = (server: TestServer, token: string, method = 'GET', path = '/console/inventory') =>
  fetch(server.baseUrl + path, { method, headers: { Authorization: `Bearer ${token}` } })
const signedIn = async (server: TestServer): Promise<string> => {
  const answer = await post(server, '/console/sign-in', JSON.stringify({ code: codesIn(server).issue() }))
  return ((await answer.json()) as { token: string }).token
}

served('the page links all scripts of the first view, and they are few', async ({ server }) => {
  const page = await (await fetch(`${server.baseUrl}/console/`)).text()
  const scripts = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, name = '']) => name)
  assert.is(scripts.length, 2, scripts.join())
  const imported = await Promise.all(
    scripts.map(async name => {
      const text = await (await fetch(`${server.baseUrl}/console/${name}`)).text()
      return [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, other = '']) => other)
    }),
  )
  assert.equal([...new Set(imported.flat())], [scripts[0]])
})

served('signing out ends the session at once, also for tokens that were renewed', async ({ server }) => {
  const token = await signedIn(server)
  const renewed = (await (await post(server, '/console/renew', JSON.stringify({ token }))).json()) as { token: string }
  for (const each of [token, renewed.token]) assert.is((await as(server, each)).status, 200)
  assert.is((await post(server, '/console/sign-out', JSON.stringify({ token: renewed.token }))).status, 200)
  for (const each of [token, renewed.token]) {
    assert.is((await as(server, each)).status, 401)
    assert.is((await post(server, '/console/renew', JSON.stringify({ token: each }))).status, 401)
  }
})

served('administrators see and end the sessions of others, and nobody else does', async ({ server }) => {
  const [one, other] = [await signedIn(server), await signedIn(server)]
  const jane = await server.addUser({ name: 'jane' })
  for (const method of ['GET', 'DELETE'])
    assert.is((await as(server, jane.token ?? '', method, '/console/sessions')).status, 403)
  const listed = (await (await as(server, server.token, 'GET', '/console/sessions')).json()) as {
    sessions: { id: string }[]
  }
  const before = listed.sessions.length
  assert.ok(before >= 2)
  const last = listed.sessions.at(-1)?.id ?? ''
  assert.is((await as(server, server.token, 'DELETE', `/console/sessions/${last}`)).status, 200)
  assert.is((await as(server, server.token, 'DELETE', `/console/sessions/${last}`)).status, 404)
  assert.equal(
    [(await as(server, one)).status, (await as(server, other)).status].sort(),
    [200, 401],
    'one of two sessions of the same moment was ended',
  )
  assert.is(await consoleCommand.run(['--data-dir', '.', '--end-sessions'], quiet(server)), 0)
  for (const each of [one, other]) assert.is((await as(server, each)).status, 401)
})
const quiet = (server: TestServer) => {
  writeFileSync(
    join(server.dataDir, 'admin.conf'),
    `clusters:\n- name: this\n  cluster:\n    server: "${server.baseUrl}"\n`,
  )
  return { out: () => {}, err: () => {}, workingDir: server.dataDir } as never
}

served('orch console prints another link for a running server', async ({ server }) => {
  writeFileSync(
    join(server.dataDir, 'admin.conf'),
    `clusters:\n- name: this\n  cluster:\n    server: "${server.baseUrl}"\n`,
  )
  let [said, complained] = ['', '']
  const context = { out: (text: string) => (said += text), err: (text: string) => (complained += text) }
  const run = (...argv: string[]) => consoleCommand.run(argv, { ...context, workingDir: server.dataDir } as never)
  assert.is(await run('--data-dir', '.'), 0)
  const [, address, code] = /^(.+)\/console\/#code=(.+)\n$/.exec(said) ?? []
  assert.is(address, server.baseUrl)
  assert.is((await post(server, '/console/sign-in', JSON.stringify({ code }))).status, 200)
  assert.is(await run(), 1)
  assert.match(complained, /no server has been started with the data folder .*data/)
})

for (const [what, body, status] of [
  ['a wrong code', '{"code":"wrong"}', 401],
  ['a code that is a path', '{"code":"../../admin.conf"}', 401],
  ['no code', '{}', 400],
  ['no JSON', 'code', 400],
  ['far too much', JSON.stringify({ code: 'x'.repeat(5000) }), 400],
] as const)
  served(`${what} signs nobody in`, async ({ server }) => {
    assert.is((await post(server, '/console/sign-in', body)).status, status)
  })

served('the inventory requires permission', async ({ server }) => {
  const as = (token: string) =>
    fetch(`${server.baseUrl}/console/inventory`, { headers: { Authorization: `Bearer ${token}` } })
  assert.is((await fetch(`${server.baseUrl}/console/inventory`)).status, 401)
  assert.is((await as('console-session.e30.xx')).status, 401)
  const inventory = (await (await as(server.token)).json()) as {
    plugins: { name: string; brings: Record<string, string[]> }[]
  }
  const own = inventory.plugins.find(({ name }) => name === 'console')
  assert.equal(own?.brings['authenticators'], ['console-session'])
})

served('a route may stream its response, and the longest prefix wins', async ({ server }) => {
  const answer = await fetch(`${server.baseUrl}/numbers`, { headers: { Authorization: `Bearer ${server.token}` } })
  const lines = (await answer.text()).match(/\d+/g) ?? []
  assert.is(lines.length, 1000)
  assert.is(lines[999], '999')
  assert.is(await (await fetch(`${server.baseUrl}/console/special/x`)).text(), 'special /console/special/x')
})

served('not at all with --console=false', async () => {
  const server = await startServer({ plugins: [consolePlugin({ console: false })] })
  const answer = await fetch(`${server.baseUrl}/console/`, { headers: { Authorization: `Bearer ${server.token}` } })
  const folder = join(server.dataDir, 'console-codes')
  const codes = existsSync(folder) ? readdirSync(folder) : []
  await server.stop()
  assert.is(answer.status, 404)
  assert.equal(codes, [])
})
served.run()
