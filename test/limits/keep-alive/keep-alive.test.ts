import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../../support/find-program.js'
import { type AttackedServer, startAttacked } from '../attacked-server.js'
import { agentClient, pythonClient, rawClient, type SoakClient } from './soak-clients.js'
import { soakSteps } from './soak-plan.js'

const clients: Readonly<Record<string, SoakClient>> = {
  agent: agentClient,
  raw: rawClient,
  ...(findProgram('python3') ? { python: pythonClient } : {}),
}
if (!clients['python']) console.log('SKIP python3 is not installed')

/** Allows objects of 4 MB, and no timeout that a busy machine could exceed. */
const flags = [`--max-request-body-bytes=${6_000_000}`, '--tls-handshake-timeout=120s', '--idle-timeout=600s']
/** A part is enough on other versions of Node. */
const share = Number(process.env['KEEP_ALIVE_SHARE'] ?? 1)
/** Shares are of turns, in which large objects are rare. */
const requests = share === 1 ? 10_000 : 9000 * share

const soak = suite('connections that are kept alive')
let server: AttackedServer
soak.before(async () => {
  server = await startAttacked('one process', flags)
})
soak.after(() => server?.stop())

soak('none is closed by the server, whatever is sent', async () => {
  const target = { port: server.port, token: 'admintoken' }
  const reports = await Promise.all(
    Object.entries(clients).map(async ([name, send]) => {
      const namespace = `soak-${name}`
      assert.is((await server.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } })).status, 201)
      const steps = soakSteps(namespace, share)
      const report = await send(target, steps)
      return [name, steps.length, report] as const
    }),
  )
  let sent = 0
  for (const [name, count, { answered, connections, failures }] of reports) {
    assert.equal(
      { name, answered, connections, failures: failures.slice(0, 5), failed: failures.length },
      { name, answered: count, connections: 1, failures: [], failed: 0 },
    )
    sent += count
  }
  const metric = await server.metrics()
  const ended = ['apiserver_interrupted_connections_total', 'apiserver_closed_connections_total']
  assert.equal(
    ended.map(name => metric(name)),
    [0, 0],
  )
  assert.ok(!clients['python'] || sent >= requests, `only ${sent} requests`)
})

soak.run()
