import { gunzipSync } from 'node:zlib'
import { definePlugin } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { request } from 'undici'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../test/support/eventually.js'
import { acceptsGzip } from './compressed-stream.js'

const compression = suite('compressed answers')

const accepted = { gzip: true, 'gzip, deflate': true, 'deflate, gzip;q=0.5': true, 'br,gzip ; q=1': true }
const refused = { '': false, br: false, 'gzip;q=0': false, 'gzip;q=0.00, br': false, 'x-gzip-like': false }
for (const [header, expected] of Object.entries({ ...accepted, ...refused }))
  compression(`are ${expected ? '' : 'not '}for who says Accept-Encoding: ${header}`, () =>
    assert.is(acceptsGzip(header), expected),
  )

const bytesOf = async (url: string, token: string, headers: Record<string, string>) => {
  const answer = await request(url, { headers: { authorization: `Bearer ${token}`, ...headers } })
  return { headers: answer.headers, status: answer.statusCode, body: Buffer.from(await answer.body.arrayBuffer()) }
}

compression('hold what the plain ones hold: one object, a list, a list in Protobuf and in YAML', async () => {
  const { baseUrl, token, client, stop } = await startServer({ vendor: 'kubernetes' })
  try {
    const maps = client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
    // More than three chunks of a list.
    for (let at = 0; at < 6; at++)
      await maps.create({ metadata: { name: `large-${at}` }, data: { text: `${at} `.repeat(100_000) } })
    const path = `${baseUrl}/api/v1/namespaces/default/configmaps`
    await eventually('the published ConfigMap', () => maps.find('kube-root-ca.crt'))
    const cases = [
      [`${path}/large-0`, 'application/json'],
      [path, 'application/json'],
      [`${path}?limit=3`, 'application/json'],
      [path, 'application/vnd.kubernetes.protobuf'],
      [path, 'application/yaml'],
    ] as const
    for (const [url, accept] of cases) {
      const read = (encoding?: string) =>
        bytesOf(url, token, { accept, ...(encoding && { 'accept-encoding': encoding }) })
      // Loops write meanwhile, which changes the version of a list: the response in between is the same only if those around it are.
      const { plain, compressed } = await eventually('two equal responses', async () => {
        const [plain, compressed, after] = [await read(), await read('gzip'), await read()]
        return after.body.equals(plain.body) && { plain, compressed }
      })
      assert.equal([compressed.status, plain.status], [200, 200])
      assert.is(plain.headers['content-encoding'], undefined)
      assert.is(compressed.headers['content-encoding'], 'gzip')
      assert.is(compressed.headers['vary'], 'Accept-Encoding')
      assert.ok(compressed.body.length * 10 < plain.body.length)
      assert.ok(gunzipSync(compressed.body).equals(plain.body), `${accept} ${url}`)
    }
    const small = await bytesOf(`${path}/kube-root-ca.crt`, token, { 'accept-encoding': 'gzip' })
    assert.is(small.headers['content-encoding'], undefined)
    const watch = await request(`${path}?watch=true&timeoutSeconds=1`, {
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
    })
    assert.is(watch.headers['content-encoding'], undefined)
    assert.match(await watch.body.text(), /"type":"ADDED"/)
  } finally {
    await stop()
  }
})

compression('are not made of an answer that says how long it is', async () => {
  const text = 'a line of a file\n'.repeat(20_000)
  const plugin = definePlugin({
    name: 'files',
    register(to) {
      to.route({
        path: '/file',
        access: 'public',
        handle: () => ({
          headers: { 'Content-Length': String(text.length) },
          body: (async function* () {
            yield Buffer.from(text)
          })(),
        }),
      })
    },
  })
  const { baseUrl, stop } = await startServer({ plugins: [plugin] })
  try {
    const { headers, body } = await bytesOf(`${baseUrl}/file`, '', { 'accept-encoding': 'gzip' })
    assert.equal([headers['content-encoding'], headers['content-length']], [undefined, String(text.length)])
    assert.is(body.toString(), text)
  } finally {
    await stop()
  }
})

compression('are given up with their client, and only so many are made at once', async () => {
  const options = { maxCompressedResponses: 1, compressResponseBytes: 1000 }
  const { baseUrl, token, client, stop } = await startServer({ options })
  try {
    const maps = client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
    await maps.create({ metadata: { name: 'medium' }, data: { text: 'some text '.repeat(200) } })
    const medium = await bytesOf(`${baseUrl}/api/v1/namespaces/default/configmaps/medium`, token, {
      'accept-encoding': 'gzip',
    })
    assert.is(medium.headers['content-encoding'], 'gzip', 'the limit counts below that of answers that go out at pace')
    const noise = Array.from({ length: 90_000 }, () => Math.random().toString(36).slice(2, 12)).join('')
    // More than the buffers of both sockets take, or a first answer that nobody reads could be done on a busy machine.
    for (let at = 0; at < 12; at++) await maps.create({ metadata: { name: `large-${at}` }, data: { noise } })
    const url = `${baseUrl}/api/v1/namespaces/default/configmaps`
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
    // Nobody reads the first, so that it is under way when the second comes.
    const unread = await request(url, { headers, highWaterMark: 1 } as object)
    const second = await bytesOf(url, token, { 'accept-encoding': 'gzip' })
    assert.equal(
      [unread.headers['content-encoding'], second.headers['content-encoding']].sort(),
      ['gzip', undefined].sort(),
    )
    unread.body.destroy()
    unread.body.on('error', () => {})
    for (let tries = 0; ; tries++) {
      const third = await bytesOf(url, token, { 'accept-encoding': 'gzip' })
      if (third.headers['content-encoding'] === 'gzip') break
      assert.ok(tries < 1000, 'the place of a client that has gone is free again')
    }
  } finally {
    await stop()
  }
})

compression.run()
