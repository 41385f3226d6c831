import { Duplex } from 'node:stream'
import type { Transport } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CallLink } from './call-link.js'
import { PluginCalls } from './plugin-calls.js'

const calls = suite('requests of plugins in processes of their own')

/** A plugin whose requests are answered by this transport, and a process that reads nothing until it is released. */
function aPlugin(transport: Transport) {
  const waiting: (() => void)[] = []
  let isReading = false
  const stream = new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      if (isReading) setImmediate(done)
      else waiting.push(done)
    },
  })
  const link = new CallLink(stream, { maxBytes: 1e6, handlers: {}, broken: () => {} })
  const plugin = new PluginCalls()
  plugin.account = 'plugin-guard'
  plugin.transportFor = () => transport
  const handlers = plugin.handlers({
    notify: (topic, content) => link.notify(topic, content),
    room: signal => link.room(signal),
  })
  const request = async (id: number) => handlers['request']?.({ id, method: 'GET', path: '/', headers: {} })
  const read = () => {
    isReading = true
    for (const done of waiting.splice(0)) done()
  }
  return { plugin, link, request, read, cancel: (id: number) => handlers['cancel']?.({ id }) }
}
const turns = async (count = 200) => {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** An endless response that counts how much of it was read. */
function endless() {
  const asked = { pieces: 0, isClosed: false }
  async function* body() {
    try {
      for (; asked.pieces < 10_000; asked.pieces++) yield Buffer.alloc(256 * 1024)
    } finally {
      asked.isClosed = true
    }
  }
  const transport: Transport = async () => ({ status: 200, headers: {}, body: body() })
  return { asked, transport }
}

calls('a response that the process does not read is not buffered in the server', async () => {
  const { asked, transport } = endless()
  const { request, link, read, cancel } = aPlugin(transport)
  assert.equal(await request(1), { status: 200, headers: {} })
  await turns()
  const stoppedAt = asked.pieces
  assert.ok(stoppedAt < 20, `${stoppedAt} pieces were read`)
  assert.ok(link.unsentBytes < 4 * 1024 * 1024)
  assert.is(link.takenBytes, 0)
  read()
  while (asked.pieces < stoppedAt + 20) await turns(1)
  cancel(1)
  while (!asked.isClosed) await turns(1)
})

calls('a process that exited leaves nothing behind', async () => {
  const { asked, transport } = endless()
  const { plugin, request } = aPlugin(transport)
  await request(1)
  await turns()
  plugin.interrupt()
  while (!asked.isClosed) await turns(1)
})

calls('a request id cannot be reused, so the limit of requests holds', async () => {
  const never: Transport = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const { request, plugin } = aPlugin(never)
  const all = [1, 1, ...Array.from({ length: 600 }, (_, index) => index + 2)]
  const made = all.map(id => request(id).catch((error: unknown) => String(error)))
  const refusals = new Map<string, number>()
  await turns(1)
  plugin.interrupt()
  for (const said of await Promise.all(made)) refusals.set(String(said), (refusals.get(String(said)) ?? 0) + 1)
  assert.is(refusals.get('Error: request 1 is already in flight'), 1)
  assert.is(refusals.get('Error: 500 of its requests are already in flight'), 101)
})

calls.run()
