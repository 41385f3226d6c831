import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import { type ServerUnderTest, withServer } from './with-server.js'

const protobuf = 'application/vnd.orch.protobuf'

/** A watch over a WebSocket, and its messages in order. */
function open(server: ServerUnderTest, query: string, headers: Record<string, string> = {}, protocols: string[] = []) {
  const url = `${server.baseUrl.replace(/^http/, 'ws')}${server.path}?watch=1&${query}`
  const socket = new WebSocket(url, protocols, { headers: { authorization: `Bearer ${server.token}`, ...headers } })
  const messages: { readonly data: Buffer; readonly isBinary: boolean }[] = []
  let wake = () => {}
  socket.on('message', (data, isBinary) => {
    messages.push({ data, isBinary })
    wake()
  })
  const take = async (count: number) => {
    while (messages.length < count)
      await new Promise<void>(resolve => {
        wake = resolve
      })
    return messages.splice(0, count)
  }
  return { socket, take }
}
const namesOf = (messages: readonly { readonly data: Buffer }[]) =>
  messages.map(({ data }) => {
    const { type, object } = JSON.parse(data.toString('utf8'))
    return `${type} ${object.metadata.name ?? ''}`.trim()
  })

const sockets = suite('watches over WebSockets')

sockets('every event is a separate message, the initial state first', () =>
  withServer({}, async server => {
    const { ask, path } = server
    for (const name of ['a', 'b', 'c']) await ask('POST', path, { metadata: { name } })
    const { socket, take } = open(
      server,
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    )
    const state = await take(4)
    assert.equal(namesOf(state), ['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK'])
    assert.ok(state.every(({ isBinary }) => !isBinary))
    await ask('POST', path, { metadata: { name: 'd', annotations: { text: 'two\nlines' } } })
    await ask('DELETE', `${path}/a`)
    assert.equal(namesOf(await take(2)), ['ADDED d', 'DELETED a'])
    socket.close()
    await once(socket, 'close')
    const isOver = async () =>
      !/longrunning_requests\{[^}]*resource="widgets"[^}]*\} [1-9]/.test((await ask('GET', '/metrics')).text)
    while (!(await isOver())) await new Promise(resolve => setTimeout(resolve, 20))
  }),
)

sockets('a message of Protobuf is an event without its length', () =>
  withServer({}, async server => {
    await server.ask('POST', server.path, { metadata: { name: 'a' } })
    const { socket, take } = open(server, '', { accept: `${protobuf};stream=watch` })
    const [message] = await take(1)
    assert.ok(message?.isBinary)
    // Field 1 of the event, five characters long.
    assert.equal(message?.data.subarray(0, 7), Buffer.from('\n\x05ADDED'))
    socket.close()
  }),
)

sockets('a watch that ends closes its socket; a subprotocol of the client is accepted', () =>
  withServer({}, async server => {
    const { socket } = open(server, 'timeoutSeconds=1', {}, ['anything', 'else'])
    const [code] = await once(socket, 'close')
    assert.is(code, 1000)
    assert.is(socket.protocol, 'anything')
  }),
)

sockets('a rejected request gets the usual error response', () =>
  withServer({}, async server => {
    const status = async (query: string, headers: Record<string, string>) => {
      const { socket } = open(server, query, headers)
      socket.on('error', () => {})
      const [, response] = await once(socket, 'unexpected-response')
      return response.statusCode
    }
    assert.is(await status('labelSelector=%3D%3D', {}), 400)
    assert.is(await status('', { authorization: 'Bearer nobody' }), 401)
  }),
)

sockets.run()
