import { createServer, type Server, type Socket } from 'node:net'
import type { ApiObject } from 'orch/sdk'
import type { Call, Command } from '../../command.js'
import { type Pod, podRunningTimeoutFlag, runningPod } from '../../objects/find-pods.js'
import { podSpecOf } from '../../objects/pod-template.js'
import { subresourcePath } from '../../objects/subresource.js'
import { kindNamed, readTargets } from '../../objects/targets.js'
import type { Session } from '../../session/session.js'
import { openChannels } from '../../streams/channel-socket.js'
import { UsageError } from '../../usage-error.js'

/** The channels of one forwarded port. Each starts with bytes that repeat the port number. */
const channels = { data: 0, error: 1 }
const portBytes = 2
const versions = ['v4']

interface Forwarded {
  readonly here: number
  readonly there: number
}

export const portForward: Command = {
  name: 'port-forward',
  summary: 'Forward local ports to a Pod, until Ctrl-C.',
  usage: '(POD | TYPE/NAME) [LOCAL:]REMOTE... [flags]',
  examples: [
    ['The same port', 'port-forward web-1 8080'],
    ['Port 80 of a service as local port 8080', 'port-forward service/web 8080:80'],
    ['Any free local port', 'port-forward deployment/web :http'],
  ],
  flags: [
    { name: 'address', kind: 'list', value: 'IP,...', description: 'addresses to listen at; localhost by default' },
    podRunningTimeoutFlag,
  ],
  completes: 'pods',
  async run(call) {
    const [target, ...words] = call.args
    if (target === undefined || words.length === 0)
      throw new UsageError('name a Pod and its ports: orchctl port-forward web-1 8080:80')
    const session = await call.session()
    const pod = await runningPod(call, session, target)
    const service = await serviceOf(session, target)
    const ports = words.map(word => readPort(word, pod, service))
    const given = call.flags.items('address')
    const addresses = (given.length > 0 ? given : ['localhost']).flatMap(name =>
      name === 'localhost' ? ['127.0.0.1', '::1'] : [name],
    )
    const servers: Server[] = []
    try {
      for (const port of ports) servers.push(...(await listen(call, session, pod, port, addresses)))
      await new Promise<void>(resolve =>
        call.terminal.signal.addEventListener('abort', () => resolve(), { once: true }),
      )
    } finally {
      for (const server of servers) server.close()
    }
  },
}

interface Service extends ApiObject {
  spec?: { ports?: readonly { readonly name?: string; readonly port: number; readonly targetPort?: number | string }[] }
}

async function serviceOf(session: Session, word: string): Promise<Service | undefined> {
  if (!word.includes('/')) return undefined
  const [target] = readTargets([word], await session.kinds())
  if (target?.kind.resource !== 'services' || target.name === undefined) return undefined
  return session.collection<Service>(target.kind, session.namespace).get(target.name)
}

function readPort(word: string, pod: Pod, service: Service | undefined): Forwarded {
  const [left = '', right] = word.split(':')
  const wanted = right ?? left
  const there = portOf(wanted, pod, service)
  const here = right === undefined ? (/^\d+$/.test(left) ? Number(left) : there) : left === '' ? 0 : Number(left)
  if (!Number.isInteger(here) || here < 0 || here > 65_535) throw new UsageError(`"${left}" is not a port number`)
  return { here, there }
}

/** The number of a port of the Pod. A port of a service is mapped to its target port. */
function portOf(text: string, pod: Pod, service: Service | undefined): number {
  const all = podSpecOf(pod)?.containers.flatMap(({ ports = [] }) => ports) ?? []
  const ofService = service?.spec?.ports?.find(({ name, port }) => name === text || String(port) === text)
  if (service !== undefined && ofService === undefined)
    throw new UsageError(`service ${service.metadata.name} has no port ${text}`)
  const wanted = ofService ? String(ofService.targetPort ?? ofService.port) : text
  const named = all.find(({ name }) => name === wanted)?.containerPort
  const found = /^\d+$/.test(wanted) ? Number(wanted) : named
  if (found === undefined) throw new UsageError(`pod ${pod.metadata.name} has no port named "${wanted}"`)
  return found
}

async function listen(
  call: Call,
  session: Session,
  pod: Pod,
  port: Forwarded,
  addresses: readonly string[],
): Promise<Server[]> {
  const { terminal } = call
  const servers: Server[] = []
  const failures: string[] = []
  let { here } = port
  for (const address of addresses)
    try {
      const server = createServer(socket => {
        terminal.log(`Handling connection for ${here}`)
        forward(session, pod, port.there, socket, terminal.signal).catch(error => {
          terminal.log(`error: forwarding ${here} -> ${port.there}: ${(error as Error).message}`)
          socket.destroy()
        })
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(here, address, resolve)
      })
      const bound = server.address()
      // All addresses use the port that the first was bound to.
      if (typeof bound === 'object' && bound) here = bound.port
      servers.push(server)
      terminal.write(`Forwarding from ${address.includes(':') ? `[${address}]` : address}:${here} -> ${port.there}\n`)
    } catch (error) {
      failures.push(`${address}: ${(error as Error).message}`)
    }
  if (servers.length === 0) throw new Error(`unable to listen on any of the requested ports: ${failures.join('; ')}`)
  return servers
}

async function forward(session: Session, pod: Pod, port: number, socket: Socket, signal: AbortSignal): Promise<void> {
  const kind = kindNamed('pods', await session.kinds())
  const { name = '', namespace = '' } = pod.metadata
  const path = `${subresourcePath({ kind, namespace, name }, 'portforward')}?ports=${port}`
  const prefixBytesLeft = new Map([
    [channels.data, portBytes],
    [channels.error, portBytes],
  ])
  const connection = await openChannels(session, path, versions, (channel, data) => {
    const skipped = Math.min(prefixBytesLeft.get(channel) ?? 0, data.length)
    prefixBytesLeft.set(channel, (prefixBytesLeft.get(channel) ?? 0) - skipped)
    const rest = data.subarray(skipped)
    if (rest.length === 0) return
    if (channel === channels.data) socket.write(rest)
    else socket.destroy(new Error(rest.toString('utf8')))
  })
  const stop = () => connection.close()
  signal.addEventListener('abort', stop, { once: true })
  socket.on('error', stop)
  socket.on('close', stop)
  void connection.ended.finally(() => socket.end())
  for await (const chunk of socket) await connection.send(channels.data, chunk as Buffer)
  connection.close()
  await connection.ended
  signal.removeEventListener('abort', stop)
}
