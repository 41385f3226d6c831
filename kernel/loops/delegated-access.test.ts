import type { ClosableTransport } from 'orch/sdk/client'
import { Registry } from 'prom-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Health } from '../observe/health.js'
import { delegatedAccess } from './delegated-access.js'
import { serveStatus } from './status-server.js'

/** A server with two valid tokens, one of which may read the metrics. */
let open = 0
function asBearer(token: string): ClosableTransport {
  const status = { good: 200, poor: 403, broken: 500 }[token] ?? 401
  open++
  const send = async ({ path }: { path: string }) => {
    assert.is(path, '/metrics')
    return { status, headers: {}, body: [] }
  }
  return Object.assign(send, { close: async () => void open-- }) as unknown as ClosableTransport
}

const access = suite('metrics of a process without users of its own')

access('may be read by users whom the server allows to read its own; health is public', async () => {
  const health = new Health()
  health.add({ name: 'ping', endpoints: ['healthz', 'livez', 'readyz'], check: () => {} })
  const status = await serveStatus({
    bindAddress: '127.0.0.1',
    port: 0,
    tls: undefined,
    health,
    metrics: new Registry(),
    mayRead: delegatedAccess(asBearer),
  })
  const read = async (path: string, authorization?: string) => {
    const response = await fetch(status.url + path, authorization ? { headers: { authorization } } : {})
    await response.arrayBuffer()
    return response.status
  }
  try {
    assert.is(await read('/metrics', 'Bearer good'), 200)
    assert.is(await read('/metrics', 'Bearer poor'), 403)
    assert.is(await read('/metrics', 'Bearer bad'), 401)
    assert.is(await read('/metrics', 'Bearer broken'), 503)
    assert.is(await read('/metrics', 'Basic good'), 401)
    assert.is(await read('/metrics'), 401)
    for (const path of ['/healthz', '/livez', '/readyz']) assert.is(await read(path), 200)
    assert.is(open, 0)
  } finally {
    await status.close()
  }
})
access.run()
