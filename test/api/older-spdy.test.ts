import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { controlTypes, dataHead, flagFin, readFrames } from '../../libs/spdy/frames.js'
import { StreamOpener } from '../../libs/spdy/testing/stream-opener.js'
import { type PodServer, startSimulatedPod } from '../support/simulated-pod.js'

/** Old versions of kubectl are not available here, so their frames are written by hand. */
const older = suite('exec with the protocols of older clients')
const token = 'admintoken'
let world: PodServer
older.before(async () => {
  world = await startSimulatedPod(token)
})
older.after(() => world?.stop())

/** Runs a command with these streams, and returns the output of each. */
async function exec(protocols: string, types: readonly string[], query: string, input: string) {
  const { hostname: host, port } = new URL(world.server.url)
  const asked = request({
    ...{ host, port, method: 'POST', path: `${world.pods}/web/exec?${query}` },
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': protocols,
    },
  })
  const upgraded = once(asked, 'upgrade')
  asked.end()
  const [answer, socket] = (await upgraded) as [IncomingMessage, Socket]
  const opener = new StreamOpener()
  const idOf = (type: string) => 2 * types.indexOf(type) + 1
  for (const type of types) socket.write(await opener.frame(idOf(type), { streamtype: type }))
  const send = (type: string, text: string) =>
    socket.write(Buffer.concat([dataHead(idOf(type), text.length, 0), Buffer.from(text)]))
  if (types.includes('resize')) send('resize', '{"Width":80,"Height":24}')
  send('stdin', input)
  socket.write(dataHead(idOf('stdin'), 0, flagFin))
  const came: Record<string, string> = {}
  const data = (id: number, piece: Buffer) => {
    const type = types[(id - 1) / 2] ?? `stream ${id}`
    came[type] = (came[type] ?? '') + piece.toString()
  }
  await readFrames(socket, { control: ({ type }) => void (type === controlTypes.goAway && socket.end()), data })
  return { spoken: answer.headers['x-stream-protocol-version'], came }
}

const streams = ['error', 'stdin', 'stdout', 'stderr']
const wanted = 'stdin=true&stdout=true&stderr=true'
for (const protocol of ['channel.k8s.io', 'v2.channel.k8s.io', 'v3.channel.k8s.io', 'v4.channel.k8s.io']) {
  const isStatus = protocol.startsWith('v4.')
  older(`${protocol}: data both ways, and the result as ${isStatus ? 'a Status' : 'text'}`, async () => {
    const { spoken, came } = await exec(protocol, streams, `command=cat&${wanted}`, 'typed')
    assert.equal([spoken, came['stdout']], [protocol, 'typed'])
    assert.match(came['error'] ?? '', isStatus ? /"status":"Success"/ : /^$/)
    const command = ['sh', '-c', 'exit 7'].map(word => `command=${encodeURIComponent(word)}`).join('&')
    const failed = await exec(protocol, streams, `${command}&${wanted}`, '')
    assert.match(failed.came['error'] ?? '', isStatus ? /"reason":"NonZeroExitCode"/ : /^command terminated.* 7$/)
  })
}

older('a terminal has a resize stream since version 3', async () => {
  const query = 'command=cat&stdin=true&stdout=true&tty=true'
  const before = await exec('v2.channel.k8s.io', ['error', 'stdin', 'stdout'], query, 'a')
  assert.match(before.came['stdout'] ?? '', 'a')
  const since = await exec('v3.channel.k8s.io', ['error', 'stdin', 'stdout', 'resize'], query, 'b')
  assert.match(since.came['stdout'] ?? '', 'b')
})

older('of several protocols the one that the client prefers is used', async () => {
  const { spoken } = await exec(
    'v9.channel.k8s.io,v3.channel.k8s.io,v2.channel.k8s.io',
    streams,
    `command=true&${wanted}`,
    '',
  )
  assert.is(spoken, 'v3.channel.k8s.io')
})

older.run()
