import { connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { statusLimits } from './connection-limits.js'
import { Connections } from './connections.js'
import { HttpServer } from './tls-server.js'

const server = suite('the end of a server')

server('does not wait for connections on which nothing was asked', async () => {
  const connections = new Connections(statusLimits)
  const options = { bindAddress: '127.0.0.1', port: 0, tls: undefined, connections }
  const http = new HttpServer(options, exchange => exchange.send(200, {}, 'hello'))
  const port = await http.listen({ host: '127.0.0.1', port: 0 })
  const used = await fetch(`http://127.0.0.1:${port}/`)
  assert.is(await used.text(), 'hello')
  const ready = connect(port, '127.0.0.1')
  await new Promise(resolve => ready.once('connect', resolve))
  const cut = new Promise(resolve => ready.once('close', () => resolve('cut')))
  ready.on('error', () => {})
  const graceMs = 120_000
  const closing = http.close(graceMs, 0).then(() => 'closed')
  const tooLate = new Promise(resolve => setTimeout(resolve, graceMs / 4, 'too late').unref())
  assert.equal([await Promise.race([cut, tooLate]), await Promise.race([closing, tooLate])], ['cut', 'closed'])
})

server.run()
