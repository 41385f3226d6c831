import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anonymousUser } from '../identity/user.js'
import type { RouteAnswer, RouteRequest } from './route.js'
import { staticFiles } from './static-files.js'

const files = suite<{ folder: string }>('static files')
files.before.each(context => {
  context.folder = mkdtempSync(join(tmpdir(), 'static-'))
  mkdirSync(join(context.folder, 'inner'))
  for (const [name, text] of Object.entries({
    'index.html': '<p>',
    'main-4F2K7QXA.js': 'let a',
    'main-4F2K7QXA.js.br': 'brotli',
    'main-4F2K7QXA.js.gz': 'gzip',
    'inner/a.txt': 'a',
  }))
    writeFileSync(join(context.folder, name), text)
})
files.after.each(({ folder }) => rmSync(folder, { recursive: true }))

function ask(folder: string, path: string, headers: RouteRequest['headers'] = {}): RouteAnswer {
  const route = staticFiles({ path: '/x/*', folder: () => folder, headers: { 'X-Frame-Options': 'DENY' } })
  const body = () => Promise.resolve(Buffer.alloc(0))
  const request = { method: 'GET', path, query: new URLSearchParams(), headers, user: anonymousUser, body }
  return route.handle(request, {}) as RouteAnswer
}
async function textOf({ body }: RouteAnswer): Promise<string> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body.toString()
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

files('are streamed with type, length and the headers that were given', async ({ folder }) => {
  const answer = ask(folder, '/x/')
  assert.is(answer.headers?.['Content-Type'], 'text/html; charset=utf-8')
  assert.is(answer.headers?.['Cache-Control'], 'no-cache')
  assert.is(answer.headers?.['X-Frame-Options'], 'DENY')
  assert.is(answer.headers?.['Content-Length'], '3')
  assert.is(await textOf(answer), '<p>')
  assert.is(await textOf(ask(folder, '/x/inner/a.txt')), 'a')
})

const accepted: Record<string, string> = {
  'gzip, deflate, br': 'brotli',
  'gzip;q=1.0': 'gzip',
  'br;q=0, gzip': 'gzip',
  identity: 'let a',
  '': 'let a',
}
for (const [header, text] of Object.entries(accepted))
  files(`are sent as ${text} to clients that accept "${header}"`, async ({ folder }) => {
    const answer = ask(folder, '/x/main-4F2K7QXA.js', { 'accept-encoding': header })
    assert.is(await textOf(answer), text)
    assert.is(answer.headers?.['Vary'], 'Accept-Encoding')
  })

files('named by a hash are cached indefinitely', ({ folder }) => {
  assert.is(ask(folder, '/x/main-4F2K7QXA.js').headers?.['Cache-Control'], 'public, max-age=31536000, immutable')
})

files('are not sent again to a client that has them in the same encoding', ({ folder }) => {
  const etag = (encoding: string) =>
    ask(folder, '/x/main-4F2K7QXA.js', { 'accept-encoding': encoding }).headers?.['ETag'] ?? ''
  assert.is(ask(folder, '/x/main-4F2K7QXA.js', { 'if-none-match': etag('') }).status, 304)
  assert.is(ask(folder, '/x/main-4F2K7QXA.js', { 'if-none-match': etag('br') }).status, undefined)
})

for (const path of ['/x/missing', '/x/../secret', '/x/main-4F2K7QXA.js.br', '/x/inner', '/x/inner/'])
  files(`are not served at ${path}`, ({ folder }) => {
    assert.throws(
      () => ask(folder, path),
      (thrown: { code?: number }) => thrown.code === 404,
    )
  })

files.run()
