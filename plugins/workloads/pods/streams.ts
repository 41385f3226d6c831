import {
  ApiError,
  Bool,
  badRequest,
  type ConnectRequest,
  type ConnectSubresource,
  type ConnectSwitch,
  defineService,
  field,
  Int32,
  ListOf,
  parseDuration,
  type Static,
  Struct,
  Text,
  tooManyRequests,
  type Vendor,
} from 'orch/sdk'
import { type PodProcess, type PodStreamSource, podStreams } from 'orch/sdk/core'
import {
  type Agreement,
  defaultLimits,
  maxChannelPorts,
  namesPorts,
  negotiate,
  type ProcessEnds,
  type ProcessOutcome,
  portProtocols,
  processProtocols,
  type SpokenProtocols,
  servePorts,
  serveProcess,
  UpgradeRefused,
} from '../../../libs/container-streams/index.js'
import type { WorkloadOptions } from '../options.js'
import { checkContainer, nodeOf, nodeUnreachable, podOf } from './reach-node.js'

/** Streams to running Pods, served by a plugin that runs them. This server itself has no connection to nodes. */

const streamOptions = {
  stdin: field(1, Bool(), 'Whether to connect the standard input.'),
  stdout: field(2, Bool(), 'Whether to connect the standard output.'),
  stderr: field(3, Bool(), 'Whether to connect the standard error.'),
  tty: field(4, Bool(), 'Whether to allocate a terminal.'),
  container: field(5, Text(), 'The container. Not needed if there is only one.'),
}
const PodExecOptions = Struct(
  'core.v1.PodExecOptions',
  { ...streamOptions, command: field(6, ListOf(Text()), 'The command and its arguments; not run in a shell.') },
  { description: 'A command to run in a container.' },
)
const PodAttachOptions = Struct('core.v1.PodAttachOptions', streamOptions, {
  description: 'The container and streams to attach to.',
})
type PodAttachOptions = Static<typeof PodAttachOptions> & { readonly command?: readonly string[] }
const PodPortForwardOptions = Struct(
  'core.v1.PodPortForwardOptions',
  { ports: field(1, ListOf(Int32()), 'The ports. Required for WebSockets.') },
  { description: 'The ports to forward.' },
)

/** What differs between versions, by gates. */
export interface StreamFeatures {
  /** A GET requires the permission to create as well. */
  readonly needsCreate: boolean
  /** WebSocket clients may close the input of a process. */
  readonly closesStreams: boolean
  /** Port forwarding may use SPDY within a WebSocket. */
  readonly tunnels: boolean
}

/** The gates that control these features. */
export const streamGates = {
  AuthorizePodWebsocketUpgradeCreatePermission: {
    stage: 'beta',
    description: 'Connecting to a Pod with GET requires the permission to create as well.',
  },
  TranslateStreamCloseWebsocketRequests: {
    stage: 'beta',
    description: 'WebSocket clients can close the input of a process (v5.channel).',
  },
  PortForwardWebsockets: { stage: 'beta', description: 'Port forwarding can use SPDY within a WebSocket.' },
} as const

const needs = { streams: podStreams }
type StreamSubresource = ConnectSubresource<typeof needs>

export function streamSubresources(
  vendor: Vendor,
  { needsCreate, closesStreams, tunnels }: StreamFeatures,
  { maxStreamConnections, streamIdleTimeout }: WorkloadOptions,
): Record<'exec' | 'attach' | 'portforward', StreamSubresource> {
  const { groupDomain } = vendor.profile
  const connections = new Connections(maxStreamConnections)
  const limits = { ...defaultLimits, idleMs: parseDuration(streamIdleTimeout) }
  const processes = processProtocols(groupDomain, { closesStreams })
  const ports = portProtocols(groupDomain, { tunnels })
  const shared = {
    needs,
    kind: 'connect',
    verbs: ['create', 'get'],
    upgrades: true,
    ...(needsCreate ? { alsoNeedsVerb: 'create' } : {}),
  } as const

  const intoContainer = (what: 'exec' | 'attach'): StreamSubresource['connect'] =>
    async function connect(request, { streams }) {
      const pod = podOf(request)
      const options = request.options as PodAttachOptions
      checkContainer(pod, options.container ?? '')
      const node = nodeOf(pod)
      const { stdin = false, stdout = false, stderr = false, tty = false, command = [] } = options
      const container = options.container || (pod.spec.containers[0]?.name ?? '')
      const query = { container, stdin, stdout, stderr, tty, command }
      const run = await streams[what](pod, query)
      if (!run) throw nodeUnreachable(node)
      if (!stdin && !stdout && !stderr) throw badRequest('you must specify at least 1 of stdin, stdout, stderr')
      const agreement = negotiateUpgrade(request, processes)
      return connections.count(agreement, connection =>
        serveProcess(connection, agreement, query, (ends, signal) => outcomeOf(run, ends, signal), limits),
      )
    }

  return {
    exec: { ...shared, objectKind: 'PodExecOptions', schema: PodExecOptions, connect: intoContainer('exec') },
    attach: { ...shared, objectKind: 'PodAttachOptions', schema: PodAttachOptions, connect: intoContainer('attach') },
    portforward: {
      ...shared,
      objectKind: 'PodPortForwardOptions',
      schema: PodPortForwardOptions,
      async connect(request, { streams }) {
        const pod = podOf(request)
        const node = nodeOf(pod)
        const forward = await streams.forward(pod)
        if (!forward) throw nodeUnreachable(node)
        const agreement = negotiateUpgrade(request, ports)
        const asked = (request.options['ports'] ?? []) as readonly number[]
        if (namesPorts(agreement)) checkPorts(asked)
        return connections.count(agreement, connection => servePorts(connection, agreement, asked, forward, limits))
      },
    },
  }
}

/** The protocol that both sides support. Throws if there is none, or no upgrade was requested. */
function negotiateUpgrade({ upgrade }: ConnectRequest, supported: SpokenProtocols): Agreement {
  if (!upgrade) throw badRequest('Upgrade request required')
  try {
    return negotiate(upgrade, supported)
  } catch (error) {
    if (!(error instanceof UpgradeRefused)) throw error
    throw new ApiError(error.code, error.code === 403 ? 'Forbidden' : 'BadRequest', error.message)
  }
}

function checkPorts(ports: readonly number[]): void {
  if (ports.length === 0) throw badRequest('query parameter "ports" is required')
  if (ports.length > maxChannelPorts)
    throw badRequest(`query parameter "ports" may have at most ${maxChannelPorts} values`)
  const wrong = ports.find(port => port < 1 || port > 65_535)
  if (wrong !== undefined) throw badRequest(`query parameter "ports": ${wrong} is not a port`)
}

/**
 * Limits the number of open connections, because clients can keep each of them, and its memory and socket,
 * indefinitely.
 */
class Connections {
  readonly #max: number
  #open = 0
  constructor(max: number) {
    this.#max = max
  }
  count({ headers }: Agreement, serve: ConnectSwitch['serve']): ConnectSwitch {
    if (this.#open >= this.#max) throw tooManyRequests(`the limit of ${this.#max} open streams to Pods is reached`, 5)
    return {
      headers,
      serve: async connection => {
        this.#open++
        try {
          await serve(connection)
        } finally {
          this.#open--
        }
      },
    }
  }
}

/** Runs a process and returns its outcome, in the form that clients expect on the error channel. */
async function outcomeOf(run: PodProcess, ends: ProcessEnds, signal: AbortSignal): Promise<ProcessOutcome> {
  try {
    const exitCode = await run(ends, signal)
    if (exitCode === 0) return { status: { metadata: {}, status: 'Success' }, message: '' }
    const message = `command terminated with non-zero exit code: exit status ${exitCode}`
    const details = { causes: [{ reason: 'ExitCode', message: String(exitCode) }] }
    return { status: { metadata: {}, status: 'Failure', message, reason: 'NonZeroExitCode', details }, message }
  } catch (error) {
    // Other errors may contain internal details.
    const { message, reason, code } =
      error instanceof ApiError ? error : new ApiError(500, 'InternalError', 'the command could not be run')
    return { status: { metadata: {}, status: 'Failure', message, reason, code }, message }
  }
}

/** The stream sources of this process. */
export const podStreamService = defineService({
  token: podStreams,
  create() {
    const sources = new Set<PodStreamSource>()
    const firstOf = async <T>(ask: (source: PodStreamSource) => T | undefined | Promise<T | undefined>) => {
      for (const source of sources) {
        const answer = await ask(source)
        if (answer) return answer
      }
      return undefined
    }
    return {
      add(source) {
        sources.add(source)
        return () => sources.delete(source)
      },
      exec: (pod, query) => firstOf(source => source.exec?.(pod, query)),
      attach: (pod, query) => firstOf(source => source.attach?.(pod, query)),
      forward: pod => firstOf(source => source.forward?.(pod)),
    }
  },
})
