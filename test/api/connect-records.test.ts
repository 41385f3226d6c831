import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import { eventually } from '../support/eventually.js'
import { type PodServer, startSimulatedPod } from '../support/simulated-pod.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const records = suite('records of connections, and authentication of browsers')
const folder = temporaryFolder()
const auditLog = join(folder.path, 'audit.log')
const accessLog = join(folder.path, 'access.log')
const token = 'a-token-that-nobody-may-see'
const protocolToken = `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`
const pods = '/api/v1/namespaces/default/pods'
let world: PodServer

records.before(async () => {
  const policy = join(folder.path, 'policy.yaml')
  writeFileSync(policy, 'kind: Policy\nrules: [{level: RequestResponse}]\n')
  const logs = ['--audit-log-path', auditLog, '--audit-policy-file', policy, '--access-log', accessLog, '--v', '5']
  world = await startSimulatedPod(token, logs)
})
records.after(async () => {
  await world?.stop()
  folder.remove()
})

interface Event {
  readonly stage: string
  readonly verb: string
  readonly requestURI: string
  readonly user: { readonly username?: string }
  readonly responseStatus?: { readonly code: number; readonly reason?: string }
}
const eventsOf = (path: string): Event[] =>
  readFileSync(auditLog, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): Event => JSON.parse(line))
    .filter(({ requestURI }) => requestURI === path)
/** The stages with the response codes, once the last one is recorded. */
const stagesOf = (path: string) =>
  eventually(`the events of ${path}`, () => {
    const events = eventsOf(path)
    if (events.at(-1)?.stage !== 'ResponseComplete') return undefined
    return events.map(({ stage, responseStatus }) => `${stage} ${responseStatus?.code ?? ''}`.trim())
  })

/** Opens a WebSocket as a browser does: without headers, only with protocols. */
function open(path: string, protocols: readonly string[]): Promise<WebSocket> {
  const socket = new WebSocket(world.server.url.replace(/^http/, 'ws') + path, [...protocols])
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket))
    socket.on('error', reject)
  })
}

records('a WebSocket is authenticated by a subprotocol that is neither echoed nor recorded', async () => {
  const path = `${pods}/web/exec?command=cat&stdin=true&stdout=true`
  const socket = await open(path, ['v5.channel.k8s.io', protocolToken])
  assert.is(socket.protocol, 'v5.channel.k8s.io')
  await eventually('the beginning of the answer', () => eventsOf(path).length === 2 || undefined)
  assert.equal(
    eventsOf(path).map(({ stage, user }) => [stage, user.username]),
    [
      ['RequestReceived', 'root'],
      ['ResponseStarted', 'root'],
    ],
  )
  const ended = new Promise(resolve => socket.on('close', resolve))
  socket.close()
  await ended
  assert.equal(await stagesOf(path), ['RequestReceived', 'ResponseStarted 101', 'ResponseComplete 101'])
  const encoded = protocolToken.slice(protocolToken.lastIndexOf('.') + 1)
  for (const text of [readFileSync(auditLog, 'utf8'), readFileSync(accessLog, 'utf8'), world.server.output()]) {
    assert.not.match(text, token)
    assert.not.match(text, encoded)
  }
})

records('an invalid token is rejected, and so is a token that is the only subprotocol', async () => {
  const path = `${pods}/web/exec?command=true&stdout=true`
  const wrong = `base64url.bearer.authorization.k8s.io.${Buffer.from('wrong').toString('base64url')}`
  for (const protocols of [['v5.channel.k8s.io', wrong], [protocolToken]])
    await open(path, protocols).then(
      () => assert.unreachable('the WebSocket was opened'),
      error => assert.match(String(error), '401'),
    )
})

const refused: Record<string, [method: string, path: string, code: number]> = {
  'an exec without an upgrade': ['POST', `${pods}/web/exec?command=ls&stdout=true`, 400],
  'an attach to nothing': ['POST', `${pods}/missing/attach?stdout=true`, 404],
  'a port of nothing': ['POST', `${pods}/missing/portforward?ports=80`, 404],
  'a proxy to nothing': ['PUT', `${pods}/missing/proxy/a?b=c`, 404],
  'a log': ['GET', `${pods}/web/log?tailLines=1`, 200],
}
for (const [title, [method, path, code]] of Object.entries(refused))
  records(`${title} has the stages of a long-running request`, async () => {
    assert.is((await world.send(method, path)).status, code)
    assert.equal(await stagesOf(path), ['RequestReceived', `ResponseStarted ${code}`, `ResponseComplete ${code}`])
  })

records.run()
