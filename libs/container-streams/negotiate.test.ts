import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AskedUpgrade, negotiate, processProtocols, UpgradeRefused } from './index.js'

const spoken = processProtocols('acme.test', { closesStreams: true })
const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' }

const agreements = suite('protocol negotiation')
agreements('chooses the protocol that the client prefers, and answers the key as RFC 6455 says', () => {
  const headers = {
    upgrade: 'WebSocket',
    ...key,
    'sec-websocket-protocol': 'v9.channel.acme.test, v4.channel.acme.test, v5.channel.acme.test',
  }
  assert.equal(negotiate({ method: 'GET', headers }, spoken), {
    transport: 'websocket',
    protocol: 'v4.channel.acme.test',
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
      'Sec-WebSocket-Protocol': 'v4.channel.acme.test',
    },
  })
})
agreements('SPDY has its own header, and naming no protocol is allowed', () => {
  const headers = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v5.channel.acme.test, v3.channel.acme.test' }
  assert.is(negotiate({ method: 'POST', headers }, spoken).headers['X-Stream-Protocol-Version'], 'v3.channel.acme.test')
  assert.is(negotiate({ method: 'POST', headers: { upgrade: 'spdy/3.1' } }, spoken).protocol, '')
})
const refused: Record<string, [AskedUpgrade, number]> = {
  'an unsupported protocol': [
    { method: 'GET', headers: { upgrade: 'websocket', ...key, 'sec-websocket-protocol': 'v4.channel.k8s.io' } },
    403,
  ],
  'an unsupported transport': [{ method: 'GET', headers: { upgrade: 'h2c' } }, 400],
  'a WebSocket without a key': [
    { method: 'GET', headers: { upgrade: 'websocket', 'sec-websocket-version': '13' } },
    400,
  ],
  'a WebSocket of another version': [
    { method: 'GET', headers: { upgrade: 'websocket', ...key, 'sec-websocket-version': '8' } },
    400,
  ],
  'a WebSocket by POST': [{ method: 'POST', headers: { upgrade: 'websocket', ...key } }, 400],
}
for (const [title, [asked, code]] of Object.entries(refused))
  agreements(`refuses ${title}`, () => {
    assert.throws(
      () => negotiate(asked, spoken),
      (error: unknown) => error instanceof UpgradeRefused && error.code === code,
    )
  })
agreements.run()
