import { once } from 'node:events'
import { type ClientHttp2Stream, constants } from 'node:http2'
import { definePlugin } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { widgetGroup, widgets } from '../api/widgets.js'
import { eventually } from '../support/eventually.js'
import { Http2Client } from '../support/http2-client.js'
import { Http2Frames } from '../support/http2-frames.js'
import { rejects } from '../support/rejects.js'
import { patientMs } from './attacked-server.js'

/** Limits for HTTP/2 clients: streams, connections and time. */

const path = `/apis/${widgetGroup}/v1/namespaces/n/widgets`
const json = { 'content-type': 'application/json' }
const streams = 20
const resets = 30

/** Requests with this token wait until the test releases them. */
const slowToken = 'slow'
const waiting: (() => void)[] = []
const slowness = definePlugin({
  name: 'slowness',
  register(to) {
    to.authenticator({
      name: 'slowness',
      kind: 'bearer',
      async authenticate({ bearerToken }) {
        if (bearerToken !== slowToken) return undefined
        await new Promise<void>(resolve => waiting.push(resolve))
        return { user: { name: 'slow', groups: ['system:masters'] } }
      },
    })
  },
})
const slow = { headers: { authorization: `Bearer ${slowToken}` } }

let server: TestServer
const clients: Http2Client[] = []
const connected = () => {
  const client = new Http2Client(server.baseUrl, { token: server.token })
  clients.push(client)
  return client
}
let asker: Http2Client | undefined
const metrics = async (): Promise<string> => {
  if (asker === undefined || asker.isClosed) asker = connected()
  return (await asker.ask('GET', '/metrics')).text
}
/** How many connections or streams were closed for a reason. */
const cuts = async (reason: string): Promise<number> =>
  Number(
    new RegExp(`^apiserver_closed_connections_total{reason="${reason}"} (\\d+)`, 'm').exec(await metrics())?.[1] ?? 0,
  )
const ended = async (stream: ClientHttp2Stream): Promise<number> => {
  if (!stream.destroyed) await once(stream, 'close')
  return stream.rstCode
}
const write = (client: Http2Client, name: string, notes = '') =>
  client.ask('POST', path, {
    headers: json,
    body: JSON.stringify({ metadata: { name }, spec: { notes: { text: notes } } }),
  })

const bounds = suite('bounds of HTTP/2')
bounds.before(async () => {
  const options = {
    http2MaxStreamsPerConnection: streams,
    http2MaxResetsPerMinute: resets,
    slowClientTimeout: '1s',
    idleTimeout: '1s',
    headerTimeout: '1s',
    watchBufferBytes: 1_000_000,
  }
  server = await startServer({ tls: true, plugins: [widgets, slowness], options })
})
bounds.after(async () => {
  for (const client of clients) client.close()
  await server.stop()
})

bounds('a client gets the limit of streams', async () => {
  const client = connected()
  const [settings] = await once(client.session, 'remoteSettings')
  assert.equal([settings.maxConcurrentStreams, settings.enablePush], [streams, false])
})

bounds('an unread stream delays no other, and ends alone', async () => {
  const client = connected()
  const unread = client.open('GET', `${path}?watch=1`)
  const read = client.open('GET', `${path}?watch=1`)
  let events = ''
  read.setEncoding('utf8').on('data', text => (events += text))
  await Promise.all([once(unread, 'response'), once(read, 'response')])
  const count = 30
  for (let at = 0; at < count; at++) assert.is((await write(client, `seen-${at}`, 'x'.repeat(100_000))).status, 201)
  const seen = () => events.split('\n').length - 1
  await eventually('every event', () => seen() === count, patientMs)
  // A stream whose client does not read receives nothing more, not even a reset.
  unread.resume()
  assert.is(await ended(unread), constants.NGHTTP2_INTERNAL_ERROR)
  assert.not.ok(read.destroyed)
  assert.is((await write(client, 'one-more')).status, 201)
  await eventually('one more event', () => seen() === count + 1, patientMs)
})

bounds('slow clients lose only their slow streams', async () => {
  const client = connected()
  const unread = client.open('GET', path)
  const slowly = client.open('POST', path, { headers: json, isUnfinished: true })
  slowly.write('{')
  const [unused, unfinished] = [connected(), await Http2Frames.open(server.baseUrl)]
  const [[head], [answer]] = await Promise.all([once(unread, 'response'), once(slowly, 'response')])
  assert.equal([head[':status'], answer[':status']], [200, 408])
  slowly.resume()
  assert.is(await ended(slowly), constants.NGHTTP2_NO_ERROR)
  await eventually('the answer to be given up', async () => (await cuts('slow-reader')) > 0, patientMs)
  assert.match(await metrics(), /^apiserver_unsent_response_bytes 0$/m)
  unread.resume()
  assert.is(await ended(unread), constants.NGHTTP2_CANCEL)
  assert.is((await client.ask('GET', `${path}/seen-0`)).status, 200, 'the connection goes on')
  unfinished.askWithoutEnd()
  await eventually('idle ones to go', () => client.isClosed && unused.isClosed && unfinished.isClosed, patientMs)
  assert.equal(
    [...client.goaways, ...unused.goaways].map(({ code }) => code),
    [0, 0],
  )
})

bounds('cancelled requests count until their work ends', async () => {
  const client = connected()
  await client.ask('GET', `${path}/seen-0`)
  const givenUp = Array.from({ length: streams }, () => client.open('GET', path, slow))
  await eventually('all to be worked on', () => waiting.length === streams, patientMs)
  for (const stream of givenUp) stream.close(constants.NGHTTP2_CANCEL)
  await Promise.all(givenUp.map(ended))
  assert.match((await rejects(client.ask('GET', path))).message, `code ${constants.NGHTTP2_REFUSED_STREAM}`)
  for (const goOn of waiting.splice(0)) goOn()
  await eventually('a place', async () => (await client.ask('GET', `${path}/seen-0`)).status === 200, patientMs)
})

bounds('a client with too many resets is disconnected with ENHANCE_YOUR_CALM, others are served', async () => {
  const client = await Http2Frames.open(server.baseUrl)
  client.askAndReset(resets - 10)
  assert.is(await cuts('too-many-resets'), 0)
  client.askAndReset(20)
  await eventually('the connection to be closed', () => client.isClosed, patientMs)
  assert.is(client.goaway, constants.NGHTTP2_ENHANCE_YOUR_CALM)
  assert.is(await cuts('too-many-resets'), 1)
  assert.is((await connected().ask('GET', `${path}/seen-0`)).status, 200)
})

bounds('and so is a client that only sends pings', async () => {
  const client = connected()
  await client.ask('GET', `${path}/seen-0`)
  const ping = () => !client.session.destroyed && client.session.ping(() => setImmediate(ping))
  ping()
  await eventually('the connection to be closed', () => client.isClosed, patientMs)
  assert.is(client.goaways[0]?.code, constants.NGHTTP2_ENHANCE_YOUR_CALM)
})

bounds.run()
