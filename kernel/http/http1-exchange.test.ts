import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import { Http1Exchange } from './http1-exchange.js'

/** What reading the body comes to when it begins after `before`; the client sends half of it and leaves. */
async function readOfLeavingClient(before: (request: IncomingMessage) => Promise<unknown>): Promise<Error> {
  const server = createServer()
  const client = await new Promise<ReturnType<typeof connect>>(resolve => {
    server.listen(0, '127.0.0.1', () => resolve(connect((server.address() as AddressInfo).port, '127.0.0.1')))
  })
  try {
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
    const [request, response] = await once(server, 'request')
    client.destroy()
    await before(request)
    return await rejects(new Http1Exchange(request, response).readBody(1000))
  } finally {
    client.destroy()
    server.close()
  }
}

const exchanges = suite('an exchange over a socket')

exchanges('the body of a client that leaves while it is read ended early', async () => {
  assert.match((await readOfLeavingClient(async () => {})).message, 'ended early')
})
exchanges('the body of a client that left before anybody read it ended early', async () => {
  const left = await readOfLeavingClient(request => new Promise(resolve => request.once('close', resolve)))
  assert.match(left.message, 'ended early')
})

exchanges('a whole address, as clients of proxies send it, counts as its path', async () => {
  const targets = ['/api?a=b', 'https://bob:s3cret@host:1/api?a=b', 'HTTP://host', 'http://host?a=b', '*']
  const request = (url: string) => ({ url, headers: {} }) as IncomingMessage
  assert.equal(
    targets.map(target => new Http1Exchange(request(target), {} as never).url),
    ['/api?a=b', '/api?a=b', '/', '/?a=b', '*'],
  )
})

exchanges.run()
